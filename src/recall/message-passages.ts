import type { Message } from '../domain/message.ts'
import { isRecalled } from '../domain/recalled.ts'
import { TRUST_OF_ROLE } from '../domain/trust.ts'
import type { NewPassage } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { impactOf } from './bm25.ts'
import { normaliseWord as foldText } from './normalise-word.ts'
import { recallText } from './message-text.ts'
import { type Passage, cueBits, cutPassages } from './passage.ts'
import { placeOf } from './place.ts'

export function messagePassages(analyser: Analyser, message: Message): readonly NewPassage[] {
  if (isRecalled(message)) return []
  const { text, side } = recallText(message)
  const at = Date.parse(message.at)
  const marks = message.metadata?.['important'] === true ? cueBits.important : 0
  return cutPassages(analyser, text, side).flatMap((passage, index) =>
    saysNothing(passage)
      ? []
      : [
          newPassage(
            { ...passage, cues: passage.cues | marks },
            {
              place: placeOf(message.seq, index),
              reference: '',
              speaker: message.name === undefined ? '' : foldText(message.name),
              role: TRUST_OF_ROLE[message.role],
              at,
            },
          ),
        ],
  )
}

/** A page break is not a memory. `No, I did not.` is: it has no term of its own, but it may be the answer beside one. */
function saysNothing({ terms, text }: Passage): boolean {
  return terms.size === 0 && !/[\p{L}\p{N}]/u.test(text)
}

export function newPassage(
  { terms, length, cues }: Passage,
  rest: Omit<NewPassage, 'terms' | 'length' | 'cues'>,
): NewPassage {
  const weights = [...terms].map(([term, weight]) => ({ term, weight, impact: impactOf(weight, length) }))
  return { ...rest, length, cues, terms: weights }
}
