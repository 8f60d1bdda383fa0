import { BYTES_PER_STEP } from './kernel/score-module.ts'

const CODE_MAX = 127
const QUERY_MAX = 32_767
/** What a sum of products may reach in the kernel. */
const SUM_MAX = 2 ** 31 - 1

/** Bytes of a vector as it is scored: whole steps of the kernel. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / BYTES_PER_STEP) * BYTES_PER_STEP
}

/** Writes a vector as 8-bit codes and answers with the scale: code × scale is the number again, to within half a scale. */
export function writeCodes(codes: Int8Array, at: number, values: Float32Array): number {
  const scale = largest(values) / CODE_MAX
  for (let index = 0; index < values.length; index++) codes[at + index] = Math.round((values[index] ?? 0) / scale)
  return scale
}

/**
 * Writes a question as 16-bit codes. The kernel multiplies 16 bits anyway, so the question need not be as coarse as the
 * vectors are: as fine as no sum can overflow.
 */
export function writeQuery(codes: Int16Array, values: Float32Array): number {
  const max = Math.min(QUERY_MAX, Math.floor(SUM_MAX / (CODE_MAX * values.length)))
  const scale = largest(values) / max
  for (let index = 0; index < values.length; index++) codes[index] = Math.round((values[index] ?? 0) / scale)
  return scale
}

function largest(values: Float32Array): number {
  let max = 0
  for (let index = 0; index < values.length; index++) max = Math.max(max, Math.abs(values[index] ?? 0))
  return max
}
