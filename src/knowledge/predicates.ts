import type { Predicate } from '../api/graph.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { ask } from './ask.ts'
import { changeKnowledge } from './knowledge-edit.ts'
import type { Knowledge } from './knowledge.ts'
import { SINGLE_VALUED } from './single-valued.ts'

/** Says how a predicate behaves from now on, here and in every deeper scope that does not say otherwise. */
export function declarePredicate(
  knowledge: Knowledge,
  scope: string,
  name: string,
  single: boolean,
): Promise<Predicate> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const own = (yield* ask({ of: 'predicates', scopes: [scope] })).find((row) => row.name === name)
    if (own?.single !== single) draft.declared.set(name, single)
    return { name, single, scope }
  })
}

/** Every predicate that somebody declared, and those built in, in the order of their names. */
export async function predicates(knowledge: Knowledge, scope: string): Promise<readonly Predicate[]> {
  const chain = scopeChain(scope)
  const declared = await knowledge.store.read(scope, () => ask({ of: 'predicates', scopes: chain }))
  const all = new Map<string, Predicate>([...SINGLE_VALUED].map((name) => [name, { name, single: true, scope: null }]))
  for (const row of declared.toSorted((a, b) => chain.indexOf(b.scope) - chain.indexOf(a.scope))) all.set(row.name, row)
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
