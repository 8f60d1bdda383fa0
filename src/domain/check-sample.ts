import { refuse } from './refuse.ts'
import { utf8Length } from './utf8-length.ts'

/** Fewer would be found by chance. */
export const SAMPLE_BYTES_MIN = 4

/**
 * Checks something to look for in what is stored: a text, bytes, or a vector of numbers.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkSample(attempt: string, option: string, given: unknown): void {
  const bytes = bytesIn(given)
  if (bytes === undefined) refuse(attempt, option, given, 'a text, bytes, or a vector of numbers')
  if (bytes < SAMPLE_BYTES_MIN)
    refuse(attempt, option, given, `at least ${SAMPLE_BYTES_MIN} bytes: fewer are found by chance`)
}

function bytesIn(given: unknown): number | undefined {
  if (typeof given === 'string') return utf8Length(given)
  if (given instanceof Uint8Array || given instanceof Float32Array) return given.byteLength
  const isVector = Array.isArray(given) && given.every((number) => typeof number === 'number')
  return isVector ? given.length * Float32Array.BYTES_PER_ELEMENT : undefined
}
