import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'

/** Which predicates hold one value, as declared in a scope or the nearest ancestor that says. */
export function* declaredSingle(chain: readonly string[]): Asking<ReadonlyMap<string, boolean>> {
  const declared = yield* ask({ of: 'predicates', scopes: chain })
  const ranked = declared.toSorted((a, b) => chain.indexOf(b.scope) - chain.indexOf(a.scope))
  return new Map(ranked.map(({ name, single }) => [name, single]))
}
