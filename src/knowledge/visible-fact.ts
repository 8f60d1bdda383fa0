import type { Fact } from '../domain/fact.ts'
import { ask, askInParallel } from './ask.ts'
import { ANY } from './knowledge-edit.ts'
import { factsWithSources, stateOf } from './fact-from-row.ts'
import type { FactOptions } from '../api/facts.ts'
import type { Knowledge } from './knowledge.ts'
import { readFact } from './known-fact.ts'
import { prevailing } from './prevailing.ts'
import { withViewpoint } from './with-viewpoint.ts'

export interface VisibleFact {
  /** Its revision is a version of the root. */
  readonly fact: Fact
  /** Another value of the chain of scopes holds instead. */
  readonly outdone: boolean
}

/** A fact as a scope sees it that has its own word on the matter, or an ancestor's, besides. */
export function visibleFact(
  knowledge: Knowledge,
  scope: string,
  id: string,
  then: FactOptions,
): Promise<VisibleFact | undefined> {
  return knowledge.store.read(scope, function* read() {
    const { view, space, found } = yield* withViewpoint(knowledge, scope, then, (among) =>
      ask({ of: 'facts', ...among, by: { ids: [id] }, where: ANY, limit: 1 }),
    )
    const [known] = found.map(readFact)
    if (known === undefined) return undefined
    const contested = stateOf(known, view.at) === 'current' ? [known] : []
    const [[fact], prevailed] = yield* askInParallel([
      factsWithSources([known], view.at, view.version),
      prevailing(space, view, contested),
    ])
    return fact === undefined ? undefined : { fact, outdone: prevailed.length < contested.length }
  })
}
