/** What can speak for a passage. Every signal lies about between 0 and 1; the score is their weighted sum. */
export interface Signals {
  /** Words of the question in the passage itself. */
  readonly words: number
  /** In the passages beside it, and two away. */
  readonly beside: number
  readonly twoAway: number
  /** Share of the question's words found within one, and within three, passages around it. */
  readonly around1: number
  readonly around3: number
  /** Words of the question in the whole conversation, against the best conversation; and its best passage. */
  readonly session: number
  readonly sessionBest: number
  /** It answers somebody else's question that has the words. */
  readonly answers: number
  readonly speaker: number
  readonly date: number
  readonly when: number
  readonly type: number
  /** How rare its own words are: greetings say little. */
  readonly rarity: number
  readonly firstPerson: number
  readonly names: number
  readonly recency: number
  readonly importance: number
  /** Likeness of meaning, where there is an embedder. */
  readonly vector: number
  /** It is about something that the question names, or is one step away from it in the graph. */
  readonly edge: number
}

/**
 * Learned on three kinds of chat (people's messengers, user and assistant, LoCoMo) and rounded; they hold on all three.
 * Do not tune them to one: what is best for LoCoMo alone falls below plain BM25 on chats with an assistant.
 */
export const weights: Signals = {
  words: 3,
  beside: 0.1,
  twoAway: 0.5,
  around1: 1.4,
  around3: 1.9,
  session: 0.8,
  sessionBest: 0.9,
  answers: 1.7,
  speaker: 1.5,
  date: 3,
  when: 1.1,
  type: 1.3,
  rarity: 2,
  firstPerson: 1.3,
  names: 0.3,
  recency: 0.1,
  importance: 0.3,
  vector: 4,
  edge: 1.5,
}

export const signalNames: readonly (keyof Signals)[] = Object.keys(weights) as (keyof Signals)[]

export function weighted(signals: Signals): number {
  let sum = 0
  for (const name of signalNames) sum += weights[name] * signals[name]
  return sum
}
