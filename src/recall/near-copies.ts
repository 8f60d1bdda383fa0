import type { PassageRow } from '../ports/recall-store.ts'
import { fold } from './fold.ts'

/** Nine of ten words the same: said twice, or quoted. */
const LIKENESS_MIN = 0.9
/** Two short texts may share all their words and still be two things said. */
const TERMS_MIN = 4

/** Tells whether something like it was chosen already. */
export class NearCopies {
  readonly #texts = new Map<string, number>()
  readonly #terms: ReadonlySet<number>[] = []

  /** The position of what it is a copy of. */
  find(passage: PassageRow, text: string): number | undefined {
    const same = this.#texts.get(normal(text))
    if (same !== undefined) return same
    const terms = termsOf(passage)
    if (terms.size < TERMS_MIN) return undefined
    const at = this.#terms.findIndex((other) => likeness(terms, other) >= LIKENESS_MIN)
    return at === -1 ? undefined : at
  }

  add(passage: PassageRow, text: string): void {
    this.#texts.set(normal(text), this.#terms.length)
    this.#terms.push(termsOf(passage))
  }
}

function normal(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
}

function termsOf({ terms }: PassageRow): ReadonlySet<number> {
  return new Set([...terms].filter((_, index) => index % 2 === 0))
}

function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0
  for (const term of a) if (b.has(term)) common += 1
  return common / (a.size + b.size - common || 1)
}
