import type { EndorseOptions } from '../api/facts.ts'
import { MemoryError } from '../domain/error.ts'
import type { Fact } from '../domain/fact.ts'
import { quote } from '../domain/refuse.ts'
import { TRUST_OF_CHANNEL, highestTrust } from '../domain/trust.ts'
import { changeKnowledge, putFact } from './knowledge-edit.ts'
import { fromCaller } from './evidence.ts'
import { findFact, subjectsOf } from './find-fact.ts'
import type { Knowledge } from './knowledge.ts'
import { placeFact, resettle } from './place-fact.ts'
import { showDrafted } from './remember.ts'

/**
 * Somebody stands for a fact: the only way for what is stored to gain trust. It leaves quarantine, and a disputed one is
 * applied if nothing more trusted is against it. The endorsement is a source like any other, and stays in the history.
 */
export function endorse(knowledge: Knowledge, scope: string, id: string, options: EndorseOptions): Promise<Fact> {
  const { channel = 'user', reason, expect } = options
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const fact = yield* findFact(draft, 'endorse a fact', id, expect)
    if (fact.standing === 'retracted')
      throw new MemoryError(
        'knowledge/conflict',
        `Cannot endorse fact ${quote(id)}: it is retracted, restore it first`,
        { fact: id, standing: fact.standing },
      )
    if (fact.trust === 0 && TRUST_OF_CHANNEL[channel] < TRUST_OF_CHANNEL.user)
      throw new MemoryError(
        'input/invalid',
        `Cannot endorse fact ${quote(id)}: it is quarantined and channel is ${quote(channel)}, expected user or operator`,
        { option: 'channel', received: channel, fact: id },
      )
    const evidence = knowledge.newId()
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
    return yield* showDrafted(draft, id)
  })
}
