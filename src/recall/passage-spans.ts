import { inTurns } from '../log/in-turns.ts'
import type { Analyser } from './analyser.ts'
import { eachSpan } from './passage.ts'

/** Messages whose passages are remembered. */
const TEXTS_MAX = 256

/** Part of a text. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Where the passages of a message stand in its text. To find out, all of it has to be read: that is done once, and in turns. */
export class PassageSpans {
  readonly #analyser: Analyser
  readonly #known = new Map<string, Promise<readonly Span[]>>()

  constructor(analyser: Analyser) {
    this.#analyser = analyser
  }

  /** @param key Names the text: another text has another key. */
  of(key: string, text: string): Promise<readonly Span[]> {
    const known = this.#known.get(key) ?? this.#read(text)
    // The last one that was asked for is forgotten last.
    this.#known.delete(key)
    this.#known.set(key, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > TEXTS_MAX && oldest !== undefined) this.#known.delete(oldest)
    return known
  }

  async #read(text: string): Promise<readonly Span[]> {
    const spans: Span[] = []
    for await (const span of inTurns(eachSpan(this.#analyser, text))) spans.push(span)
    return spans
  }
}
