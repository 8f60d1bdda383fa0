import type { Fact } from '../domain/fact.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { ask } from './ask.ts'
import { ANY } from './draft.ts'
import { showFacts } from './fact-from-row.ts'
import { type Then, spaceOf } from './facts.ts'
import type { Knowledge } from './knowledge.ts'
import { readFact } from './known-fact.ts'
import { viewpoint } from './moment.ts'
import { prevailing } from './prevailing.ts'

export interface FactInSight {
  readonly fact: Fact
  /** Another value of the chain of scopes holds instead. */
  readonly outdone: boolean
}

/** A fact as a scope sees it that has its own word on the matter, or an ancestor's, besides. */
export function factInSight(
  knowledge: Knowledge,
  scope: string,
  id: string,
  then: Then,
): Promise<FactInSight | undefined> {
  return knowledge.store.read(scope, function* read() {
    const view = yield* viewpoint(knowledge, scope, then)
    const space = spaceOf(scopeChain(scope), view)
    const [row] = yield* ask({
      of: 'facts',
      ...space,
      by: { ids: [id] },
      where: ANY,
      limit: 1,
    })
    if (row === undefined) return undefined
    const known = readFact(row)
    const [fact] = yield* showFacts([known], view.at, view.version)
    if (fact === undefined) return undefined
    const outdone = fact.state === 'current' && (yield* prevailing(space, view, [known])).length === 0
    return { fact, outdone }
  })
}
