import type { SamplePattern } from '../../ports/erasure-store.ts'

/** Told by its first four bytes, through a table of 2^22 bits: most places of a file end there. */
const TABLE_BITS = 22

/** Looks for many patterns at once in one pass over the bytes. */
export class ByteSearch {
  readonly #table: Uint8Array = new Uint8Array(2 ** (TABLE_BITS - 3))
  readonly #byStart = new Map<number, SamplePattern[]>()
  /** Of the longest pattern: pieces of a file overlap by this much. */
  readonly longest: number

  constructor(patterns: readonly SamplePattern[]) {
    for (const pattern of patterns) {
      const start = startOf(pattern.bytes, 0)
      const slot = slotOf(start)
      this.#table[slot >>> 3] = (this.#table[slot >>> 3] ?? 0) | (1 << (slot & 7))
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), pattern])
    }
    this.longest = patterns.reduce((longest, { bytes }) => Math.max(longest, bytes.length), 0)
  }

  *in(bytes: Uint8Array): Generator<{ readonly pattern: SamplePattern; readonly at: number }> {
    const table = this.#table
    for (let at = 0; at + 4 <= bytes.length; at++) {
      const start = startOf(bytes, at)
      const slot = slotOf(start)
      if (((table[slot >>> 3] ?? 0) & (1 << (slot & 7))) === 0) continue
      for (const pattern of this.#byStart.get(start) ?? [])
        if (Buffer.compare(bytes.subarray(at, at + pattern.bytes.length), pattern.bytes) === 0) yield { pattern, at }
    }
  }
}

function startOf(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0
  )
}

function slotOf(start: number): number {
  return Math.imul(start, 2_654_435_761) >>> (32 - TABLE_BITS)
}
