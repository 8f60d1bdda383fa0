import { defined } from '../domain/defined.ts'
import type { Ranked } from './rank.ts'
import type { Question } from './read-question.ts'
import { occurrence } from './question-dates.ts'
import type { Signals, Why } from '../api/recall.ts'
import { signalNames, weights } from './weights.ts'

const DAY_MS = 86_400_000
const NEAR_DAYS = 15

/** Something of its own, or close by, must speak for it: being in the right conversation is not enough. */
export function isWorthShowing({ signals, isAskersOwn }: Ranked): boolean {
  const { words, around3, date, vector, edge } = signals
  return words > 0 || around3 > 0 || date > 0 || vector > 0 || (edge > 0 && !isAskersOwn)
}

export function whyOf(ranked: Ranked, question: Question): Why {
  const { passage, signals, edge } = ranked
  const date = question.dates.find((one) => {
    const { from, to } = occurrence(one, passage.at)
    return passage.at >= from - NEAR_DAYS * DAY_MS && passage.at < to + NEAR_DAYS * DAY_MS
  })
  const { speaker } = question
  return {
    words: ranked.matched().map(({ word, idf, similar }) => ({
      word,
      weight: idf,
      ...(similar.length > 0 && { similar: similar.map(({ term }) => term) }),
    })),
    nearby: ranked.nearby().map(({ word }) => word),
    ...(date === undefined || signals.date === 0 ? {} : { date: date.text }),
    ...(speaker === undefined || signals.speaker === 0
      ? {}
      : { speaker: 'name' in speaker ? speaker.name : speaker.role }),
    ...(signals.type === 0 || question.asked === undefined ? {} : { asked: question.asked }),
    ...(signals.when === 0 ? {} : { asked: 'when' }),
    ...(signals.answers === 0 ? {} : { answers: true as const }),
    ...(signals.vector === 0 ? {} : { vector: signals.vector }),
    ...defined({ edge }),
    signals: contributions(signals),
  }
}

function contributions(signals: Signals): Signals {
  return Object.fromEntries(signalNames.map((name) => [name, signals[name] * weights[name]])) as unknown as Signals
}
