import type { RetractOptions } from '../api/facts.ts'
import { MemoryError } from '../domain/error.ts'
import type { Fact } from '../domain/fact.ts'
import { quote } from '../domain/refuse.ts'
import { TRUST_OF_CHANNEL } from '../domain/trust.ts'
import { changeKnowledge, isSingle, putFact, factSources } from './knowledge-edit.ts'
import { objectText } from './fact-text.ts'
import { findFact, subjectsOf } from './find-fact.ts'
import { markRetracted } from './mark-retracted.ts'
import type { Knowledge } from './knowledge.ts'
import { resettle } from './place-fact.ts'
import { showDrafted } from './remember.ts'
import { resettleBelow } from './resettle-below.ts'
import { trustOfSources } from './trust-of-sources.ts'
import { adoptName, isUsersName, releaseName } from './users-name.ts'

/** Takes a fact back. It stays readable, what it had closed is open again, and `restore` brings it back. */
export function retract(
  knowledge: Knowledge,
  scope: string,
  { id, reason }: { readonly id: string; readonly reason: string | undefined },
  options: RetractOptions,
): Promise<Fact> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const fact = yield* findFact(draft, 'retract a fact', id, options.expect)
    if (fact.standing !== 'retracted') {
      markRetracted(draft, fact, reason, TRUST_OF_CHANNEL[options.channel ?? 'user'])
      yield* resettle(draft, yield* subjectsOf(draft, fact), fact.predicate)
      yield* resettleBelow(draft, fact)
      if (isUsersName(fact)) yield* releaseName(draft, fact)
    }
    return yield* showDrafted(draft, id)
  })
}

/** The opposite of `retract`: as if it had never been retracted. */
export function restoreFact(
  knowledge: Knowledge,
  scope: string,
  id: string,
  expect: number | undefined,
): Promise<Fact> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const fact = yield* findFact(draft, 'restore a fact', id, expect)
    const { retracted, reason: _, ...body } = fact.body
    if (fact.standing !== 'retracted' || retracted === undefined)
      throw new MemoryError(
        'knowledge/conflict',
        `Cannot restore fact ${quote(id)}: it is ${fact.standing}, expected a retracted one`,
        { fact: id, standing: fact.standing },
      )
    if ((yield* factSources(draft, id, 1)).count === 0)
      throw new MemoryError(
        'knowledge/conflict',
        `Cannot restore fact ${quote(id)}: its sources were rolled back, so store it again instead`,
        { fact: id, standing: fact.standing },
      )
    const trust = yield* trustOfSources(draft, id)
    putFact(draft, { ...fact, trust, standing: isSingle(draft, fact.predicate) ? retracted.was : 'held', body })
    yield* resettle(draft, yield* subjectsOf(draft, fact), fact.predicate)
    if (isUsersName(fact)) yield* adoptName(draft, objectText(fact.body.object))
    return yield* showDrafted(draft, id)
  })
}
