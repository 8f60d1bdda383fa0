import type { EndorseAllOptions, EndorseOptions, FactOrigin } from '../api/facts.ts'
import { MemoryError } from '../domain/error.ts'
import type { Fact } from '../domain/fact.ts'
import { quote } from '../domain/refuse.ts'
import { TRUST_OF_CHANNEL, highestTrust } from '../domain/trust.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { factsFrom } from './facts-from.ts'
import { type KnowledgeEdit, changeKnowledge, factOf, putFact } from './knowledge-edit.ts'
import type { KnownFact } from './known-fact.ts'
import { fromCaller } from './evidence.ts'
import { findFact, subjectsOf } from './find-fact.ts'
import type { Knowledge } from './knowledge.ts'
import { placeFact, resettle } from './place-fact.ts'
import { showDrafted } from './remember.ts'

/**
 * Raises the trust of a fact: the only way for what is stored to gain it. It leaves quarantine, and a disputed one is applied if
 * nothing more trusted contradicts it. The endorsement is a source like any other, and stays in the history.
 */
export function endorse(knowledge: Knowledge, scope: string, id: string, options: EndorseOptions): Promise<Fact> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const fact = yield* findFact(draft, 'endorse a fact', id, options.expect)
    if (fact.standing === 'retracted')
      throw new MemoryError(
        'knowledge/conflict',
        `Cannot endorse fact ${quote(id)}: it is retracted, restore it first (daybook retract --undo ${id})`,
        { fact: id, standing: fact.standing },
      )
    yield* endorseOne(draft, fact, options)
    return yield* showDrafted(draft, id)
  })
}

/** Endorses every fact of this very scope that was learned from a source, unless it was retracted. */
export function endorseAll(
  knowledge: Knowledge,
  scope: string,
  origin: FactOrigin,
  options: EndorseAllOptions,
): Promise<readonly Fact[]> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const endorsed: Fact[] = []
    for (const id of [...(yield* factsFrom([scope], origin))].toSorted()) {
      const fact = yield* factOf(draft, id)
      if (fact === undefined || fact.standing === 'retracted') continue
      yield* endorseOne(draft, fact, options)
      endorsed.push(yield* showDrafted(draft, id))
    }
    return endorsed
  })
}

function* endorseOne(
  draft: KnowledgeEdit,
  fact: KnownFact,
  { channel = 'user', reason }: EndorseAllOptions,
): Asking<void> {
  const { id } = fact
  if (fact.trust === 0 && TRUST_OF_CHANNEL[channel] < TRUST_OF_CHANNEL.user)
    throw new MemoryError(
      'input/invalid',
      `Cannot endorse fact ${quote(id)}: it is quarantined and channel is ${quote(channel)}, expected user or operator`,
      { option: 'channel', received: channel, fact: id },
    )
  const evidence = draft.knowledge.newId()
  draft.sources.push({ ...fromCaller(draft, 'endorsed', channel, reason), evidence, fact: id })
  const endorsed = {
    ...fact,
    trust: highestTrust([fact.trust, TRUST_OF_CHANNEL[channel]]),
    body: reason === undefined ? fact.body : { ...fact.body, reason },
  }
  const subjects = yield* subjectsOf(draft, fact)
  if (fact.standing === 'disputed') yield* placeFact(draft, endorsed, subjects)
  else {
    putFact(draft, endorsed)
    yield* resettle(draft, subjects, fact.predicate)
  }
}
