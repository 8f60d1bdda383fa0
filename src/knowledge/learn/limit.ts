import type { Learned } from './lesson.ts'

/** One source cannot plant more: a document with five hundred sentences teaches twenty. */
export const FACTS_PER_MESSAGE_MAX = 20

/** The surest claims of each message, in the order they were made; the same claim twice is one. */
export function withinBudget(learned: readonly Learned[]): {
  readonly kept: readonly Learned[]
  readonly dropped: number
} {
  const distinct = [...new Map(learned.map((claim) => [keyOf(claim), claim])).values()]
  const byMessage = Map.groupBy(distinct, ({ source }) => source.id)
  const kept = new Set(
    [...byMessage.values()].flatMap((claims) =>
      claims.toSorted((a, b) => b.confidence - a.confidence).slice(0, FACTS_PER_MESSAGE_MAX),
    ),
  )
  return { kept: distinct.filter((claim) => kept.has(claim)), dropped: distinct.length - kept.size }
}

function keyOf({ source, subject, predicate, object, closes }: Learned): string {
  return JSON.stringify([source.id, subject, predicate, object.toLowerCase(), closes === true])
}
