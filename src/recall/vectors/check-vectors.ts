/** Longer than any model's; short enough for the kernel's sums. */
const DIMENSIONS_MAX = 16_384

export type VectorFault =
  | 'wrong-shape' // no list of lists of numbers
  | 'wrong-count' // not one vector for each text
  | 'wrong-dimensions' // shorter or longer than the others, or than their generation
  | 'not-finite' // NaN or Infinity in it
  | 'zero' // all zeros: has no direction

export type CheckedVectors =
  | { readonly ok: true; readonly vectors: readonly Float32Array[]; readonly dimensions: number }
  | { readonly ok: false; readonly reason: VectorFault; readonly detail: string }

/**
 * Takes over what a model answered: one vector for each text, all of the same length, made of real numbers, with a
 * direction. Scaled to length 1. One that is wrong spoils the answer: who knows which text the others belong to.
 */
export function checkVectors(answer: unknown, count: number, dimensions: number | undefined): CheckedVectors {
  if (!Array.isArray(answer)) return fault('wrong-shape', 'the result is not a list of vectors')
  if (answer.length !== count) return fault('wrong-count', `found ${answer.length} vectors, expected ${count}`)
  const vectors: Float32Array[] = []
  let length = dimensions
  for (const [index, given] of answer.entries()) {
    if (!isList(given)) return fault('wrong-shape', `vector ${index} is not a list of numbers`)
    length ??= given.length
    if (given.length !== length || length < 1 || length > DIMENSIONS_MAX)
      return fault(
        'wrong-dimensions',
        `vector ${index} has ${given.length} numbers, expected ${dimensions ?? (index === 0 ? `1 to ${DIMENSIONS_MAX}` : length)}`,
      )
    const unit = normalise(given)
    if (!(unit instanceof Float32Array)) return fault(unit, `vector ${index} is ${unit}`)
    vectors.push(unit)
  }
  return { ok: true, vectors, dimensions: length ?? 0 }
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array
}

/** By the largest number first: squares of very large and very small ones would be lost. */
function normalise(given: ArrayLike<unknown>): Float32Array | 'not-finite' | 'zero' {
  const values = new Float64Array(given.length)
  let largest = 0
  for (let index = 0; index < values.length; index++) {
    const value = given[index]
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'not-finite'
    values[index] = value
    largest = Math.max(largest, Math.abs(value))
  }
  if (largest === 0) return 'zero'
  let squares = 0
  for (let index = 0; index < values.length; index++) squares += ((values[index] ?? 0) / largest) ** 2
  const length = Math.sqrt(squares)
  const unit = new Float32Array(values.length)
  for (let index = 0; index < values.length; index++) unit[index] = (values[index] ?? 0) / largest / length
  return unit
}

function fault(reason: VectorFault, detail: string): CheckedVectors {
  return { ok: false, reason, detail }
}
