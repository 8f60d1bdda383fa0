import type { Ranked } from './rank.ts'
import type { Question } from './read-question.ts'

/** How much of a question something must cover to be shown: of one that speaks of the people here less than of a general one. */
const LINE_FOR_GENERAL = 0.66
const LINE_FOR_PERSONAL = 0.25
const LINE_FOR_NAMED = 0.12
/** Beside the best, something that covers this share of what that covers. */
const SHARE_OF_BEST = 0.4
/** As many as could be shown. */
const LOOKED_AT_MAX = 200
const DATE_SHARE = 0.3
/** It is about something that the question names. */
const EDGE_SHARE = 0.45
/** A day or month that the question names, not only the year. */
const DATE_MIN = 0.7

/** What an embedder finds no nearer than this may be the nearest of many that have nothing to do with the question. */
const LIKENESS_MIN = 0.25
/** From here on the meaning alone is enough. */
const LIKENESS_SURE = 0.5

/** How much something bears on a question, from 0 to 1. */
export function relevanceOf(one: Ranked, question: Question): number {
  const { signals, likeness, isAskersOwn } = one
  const onDate = signals.date >= DATE_MIN
  if (!question.hasContent) {
    // Then only people and days are asked for. "What is the weather today?" asks for neither.
    const isDated = question.dates.length > 0 && !question.concepts.some(({ steers }) => steers)
    const isAbout =
      (isDated && (signals.date > 0 || one.relevance() >= LINE_FOR_GENERAL)) ||
      (signals.edge > 0 && (question.asker || !isAskersOwn)) ||
      (question.speaker !== undefined &&
        'name' in question.speaker &&
        signals.speaker === 1 &&
        question.dates.length === 0)
    return isAbout ? 1 : 0
  }
  const edge = signals.edge > 0 && !isAskersOwn ? EDGE_SHARE : 0
  const words = one.relevance() + (onDate ? DATE_SHARE : 0) + edge + DATE_SHARE * Math.max(0, signals.vector)
  return Math.min(1, Math.max(words, (likeness - LIKENESS_MIN) / (LIKENESS_SURE - LIKENESS_MIN)))
}

/** What an item must reach to be shown; more than all of them can where none bears on the question. */
export function relevanceLine(question: Question, ranked: readonly Ranked[]): number {
  let best = 0
  for (const one of ranked.slice(0, LOOKED_AT_MAX)) best = Math.max(best, relevanceOf(one, question))
  const needed = question.isNamed ? LINE_FOR_NAMED : question.isPersonal ? LINE_FOR_PERSONAL : LINE_FOR_GENERAL
  return best < needed ? Number.POSITIVE_INFINITY : Math.max(best * SHARE_OF_BEST, Math.min(needed, LINE_FOR_NAMED))
}
