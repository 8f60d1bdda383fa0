import type { Signals } from '../api/recall.ts'
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
  vector: 6,
  edge: 1.5,
}

export const signalNames: readonly (keyof Signals)[] = Object.keys(weights) as (keyof Signals)[]

export function weighted(signals: Signals): number {
  let sum = 0
  for (const name of signalNames) sum += weights[name] * signals[name]
  return sum
}
