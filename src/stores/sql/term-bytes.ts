import type { TermWeight } from '../../ports/recall-store.ts'
import { ByteWriter } from './byte-writer.ts'
import { readNumbers } from './read-numbers.ts'

/** A term of a passage as it is stored: its key, its weight and its impact. */
export interface TermEntry {
  readonly key: number
  readonly weight: number
  readonly impact: number
}

/**
 * How many terms there are; then for each weight and impact, which most terms of a passage have in common: 256 × weight + impact,
 * the number of its terms, and the steps from each key to the next.
 */
export function writeTerms(terms: readonly TermWeight[], keys: ReadonlyMap<string, number>): Uint8Array {
  const writer = new ByteWriter()
  writer.number(terms.length)
  const groups = new Map<number, number[]>()
  for (const { term, weight, impact } of terms) {
    const key = keys.get(term) ?? 0
    const group = groups.get(weight * 256 + impact)
    if (group === undefined) groups.set(weight * 256 + impact, [key])
    else group.push(key)
  }
  for (const [packed, some] of groups) {
    writer.number(packed)
    writer.number(some.length)
    let before = 0
    for (const key of some.toSorted((a, b) => a - b)) {
      writer.number(key - before)
      before = key
    }
  }
  return writer.take()
}

export function readTerms(bytes: Uint8Array): readonly TermEntry[] {
  const pairs = readPairs(bytes)
  return Array.from({ length: pairs.length / 2 }, (_, index) => {
    const packed = pairs[index * 2 + 1] ?? 0
    return { key: pairs[index * 2] ?? 0, weight: packed >>> 8, impact: packed & 255 }
  })
}

/** Pairs: the key of a term, then 256 × its weight + its impact. Without an object for each: ranking reads thousands of passages. */
export function readPairs(bytes: Uint8Array): Uint32Array {
  const next = readNumbers(bytes)
  // What is damaged may say anything; a term takes at least a byte.
  const total = Math.min(next(), bytes.length)
  const pairs = new Uint32Array(total * 2)
  for (let at = 0; at < total;) {
    const packed = next()
    const count = Math.max(1, next())
    let key = 0
    for (const end = Math.min(total, at + count); at < end; at++) {
      key += next()
      pairs[at * 2] = key
      pairs[at * 2 + 1] = packed
    }
  }
  return pairs
}
