import type { Message } from '../domain/message.ts'
import { isRecalled } from '../domain/recalled.ts'
import { TRUST_OF_ROLE } from '../domain/trust.ts'
import type { NewPassage } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { impactOf } from './bm25.ts'
import { normaliseWord as foldText } from './normalise-word.ts'
import { recallText } from './message-text.ts'
import { type Passage, cueBits, eachPassage } from './passage.ts'
import { placeOf } from './place.ts'

export function messagePassages(analyser: Analyser, message: Message): readonly NewPassage[] {
  return [...eachMessagePassage(analyser, message)].filter((passage) => passage !== undefined)
}

/** The same one by one: a long message takes a while. */
export function* eachMessagePassage(analyser: Analyser, message: Message): Generator<NewPassage | undefined> {
  // A message that is being streamed is posted once, when it is revised at its end.
  if (isRecalled(message) || message.incomplete === 'streaming') return
  const { text, side } = recallText(message)
  const at = Date.parse(message.at)
  const marks = message.metadata?.['important'] === true ? cueBits.important : 0
  const speaker = message.name === undefined ? '' : foldText(message.name)
  let index = 0
  for (const passage of eachPassage(analyser, text, side)) {
    if (passage === undefined) {
      yield undefined
      continue
    }
    const place = placeOf(message.seq, index)
    index += 1
    if (saysNothing(passage)) continue
    const rest = { place, reference: '', speaker, role: TRUST_OF_ROLE[message.role], at }
    yield newPassage({ ...passage, cues: passage.cues | marks }, rest)
  }
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
