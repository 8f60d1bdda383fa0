import type { PassageRow } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { cueBits, cutPassages } from './passage.ts'
import { Places } from './places.ts'
import type { Ranking } from './rank.ts'

/** A longer question is hardly asked twice in the same words. */
const CHARACTERS_MAX = 1_000

/** Messages that ask the same question in the same words. They do not answer it. */
export interface RepeatedQuestions {
  readonly all: Places<true>
  /** Those after which nothing was said: one of them is the message that asks. */
  readonly unanswered: Places<true>
  readonly hasUnanswered: boolean
}

export function repeatedQuestions(
  analyser: Analyser,
  query: string,
  { concepts, stretches }: Pick<Ranking, 'concepts' | 'stretches'>,
): RepeatedQuestions {
  const found = { all: new Places<true>(), unanswered: new Places<true>(), hasUnanswered: false }
  const asked = concepts.map(({ terms }) => terms).filter(({ length }) => length > 0)
  const [own, ...more] = query.length > CHARACTERS_MAX ? [] : cutPassages(analyser, query)
  if (own === undefined || more.length > 0 || (own.cues & cueBits.question) === 0 || asked.length === 0) return found
  const isRepeated = ({ reference, cues, length, terms }: PassageRow): boolean => {
    if (reference !== '' || cues !== own.cues || length !== own.length || terms.length !== 2 * own.terms.size)
      return false
    const here = new Set(terms.filter((_, index) => index % 2 === 0))
    return asked.every((keys) => keys.some((key) => here.has(key)))
  }
  for (const stretch of stretches)
    for (const [at, passage] of stretch.entries()) {
      if (!isRepeated(passage)) continue
      found.all.set(passage, true)
      if (at < stretch.length - 1) continue
      found.unanswered.set(passage, true)
      found.hasUnanswered = true
    }
  return found
}
