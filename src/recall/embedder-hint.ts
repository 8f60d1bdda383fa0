import type { RecallItem } from '../api/recall.ts'
import { hasFoundEnough } from './has-found-enough.ts'

/** In a small memory there is little to find, so only a question that finds nothing is worth a word. */
const PASSAGES_MIN = 50
const HINT =
  "Words alone found little. With an embedder, recall also finds other words for the same thing: openMemory(location, { embedder: openai.embeddingModel('text-embedding-3-small') })"

/** Says once that an embedder would help, when a question found little without one. */
export class EmbedderHint {
  #isGiven = false

  for(items: readonly RecallItem[], passages: number): string | undefined {
    const isSmall = passages < (items.length === 0 ? 1 : PASSAGES_MIN)
    if (this.#isGiven || isSmall) return undefined
    if (hasFoundEnough(items)) return undefined
    this.#isGiven = true
    return HINT
  }
}
