import { type Arena, QUERY_AT, RESULTS_AT, SLAB_BYTES } from './arena.ts'
import { Best } from './best.ts'
import { strideOf, writeCodes, writeQuery } from './quantise.ts'

/** The quantised vectors of one set, in slabs of the arena. */
export class CodeSet {
  readonly #arena: Arena
  readonly #stride: number
  readonly #rowsPerSlab: number
  readonly #slabs: number[] = []
  /** Which vector is in which row. */
  #numbers: number[] = []

  constructor(arena: Arena, dimensions: number) {
    this.#arena = arena
    this.#stride = strideOf(dimensions)
    this.#rowsPerSlab = rowsPerSlab(dimensions)
  }

  get size(): number {
    return this.#numbers.length
  }

  /** `false` if the arena has no room: the caller makes some and tries again. */
  add(number: number, values: Float32Array): boolean {
    const row = this.#numbers.length
    if (row === this.#slabs.length * this.#rowsPerSlab) {
      const slab = this.#arena.take()
      if (slab === undefined) return false
      this.#slabs.push(slab)
    }
    const { codes, scale } = this.#place(row)
    const { bytes, floats } = this.#arena.views()
    floats[scale / 4] = writeCodes(bytes, codes, values)
    this.#numbers.push(number)
    return true
  }

  /** Lets go of every vector that is not in this list: the last row takes the place of each. */
  keep(numbers: ReadonlySet<number>): void {
    const { bytes } = this.#arena.views()
    for (let row = this.#numbers.length - 1; row >= 0; row--) {
      if (numbers.has(this.#numbers[row] ?? 0)) continue
      const last = this.#numbers.length - 1
      const [from, to] = [this.#place(last), this.#place(row)]
      bytes.copyWithin(to.codes, from.codes, from.codes + this.#stride)
      bytes.copyWithin(to.scale, from.scale, from.scale + 4)
      this.#numbers[row] = this.#numbers[last] ?? 0
      this.#numbers.pop()
    }
    this.#arena.give(this.#slabs.splice(Math.ceil(this.#numbers.length / this.#rowsPerSlab)))
  }

  /** The vectors that seem nearest, with about their similarity. */
  nearest(query: Float32Array, limit: number): Best {
    const { kernel } = this.#arena
    // Zeros behind its last number: whatever a slab held before does not count there.
    const wanted = new Int16Array(kernel.buffer(), QUERY_AT, this.#stride).fill(0)
    const queryScale = writeQuery(wanted, query)
    const best = new Best(limit)
    for (const [index, codes] of this.#slabs.entries()) {
      const first = index * this.#rowsPerSlab
      const count = Math.min(this.#rowsPerSlab, this.#numbers.length - first)
      const scales = codes + this.#rowsPerSlab * this.#stride
      kernel.score({ codes, scales, count }, QUERY_AT, RESULTS_AT, this.#stride)
      const scores = new Float32Array(kernel.buffer(), RESULTS_AT, count)
      for (let row = 0; row < count; row++) {
        const score = (scores[row] ?? 0) * queryScale
        if (score >= best.threshold) best.add(this.#numbers[first + row] ?? 0, score)
      }
    }
    return best
  }

  release(): void {
    this.#arena.give(this.#slabs.splice(0))
    this.#numbers = []
  }

  #place(row: number): { readonly codes: number; readonly scale: number } {
    const slab = this.#slabs[Math.floor(row / this.#rowsPerSlab)] ?? 0
    const within = row % this.#rowsPerSlab
    return { codes: slab + within * this.#stride, scale: slab + this.#rowsPerSlab * this.#stride + 4 * within }
  }
}

/** Codes first, then their scales. */
export function rowsPerSlab(dimensions: number): number {
  return Math.floor(SLAB_BYTES / (strideOf(dimensions) + 4))
}
