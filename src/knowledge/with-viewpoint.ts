import { scopeChain } from '../domain/scope-path.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { askInParallel } from './ask.ts'
import type { FactOptions } from '../api/facts.ts'
import { spaceOf } from './facts.ts'
import type { Knowledge } from './knowledge.ts'
import { type Viewpoint, viewpoint } from './moment.ts'
import type { NameSpace } from './names.ts'

/** Where a question stands, and its first thought. What is known now is looked up while the time is found out. */
export function* withViewpoint<Found>(
  knowledge: Knowledge,
  scope: string,
  then: FactOptions,
  think: (space: NameSpace) => Asking<Found>,
): Asking<{ readonly view: Viewpoint; readonly space: NameSpace; readonly found: Found }> {
  const chain = scopeChain(scope)
  if (then.asOf !== undefined) {
    const view = yield* viewpoint(knowledge, scope, then)
    const space = spaceOf(chain, view)
    return { view, space, found: yield* think(space) }
  }
  const space: NameSpace = { scopes: chain }
  const [view, found] = yield* askInParallel([viewpoint(knowledge, scope, then), think(space)])
  return { view, space, found }
}
