import type { Kernel } from './kernel/kernel.ts'

/** Holds 675 vectors of 384 numbers. Small enough that a small scope wastes little, large enough that calls cost nothing. */
export const SLAB_BYTES = 262_144
/** In the first slab: the question, then the results of one slab. */
export const QUERY_AT = 0
export const RESULTS_AT = 65_536

interface Views {
  readonly bytes: Int8Array
  readonly floats: Float32Array
}

/**
 * The kernel's memory in slabs of one size, lent and taken back: many sets share one memory, and none of it is ever moved.
 * A memory of its own for each set would be simpler, but engines reserve gigabytes of addresses for each.
 */
export class Arena {
  readonly kernel: Kernel
  readonly slabsMax: number
  readonly #free: number[] = []
  #made = 1
  #views: Views | undefined

  constructor(kernel: Kernel, bytesMax: number) {
    this.kernel = kernel
    this.slabsMax = Math.max(1, Math.floor(bytesMax / SLAB_BYTES))
    kernel.grow(SLAB_BYTES)
  }

  /** The address of a slab; `undefined` if all are lent, or the machine has no more memory. */
  take(): number | undefined {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#made > this.slabsMax) return undefined
    try {
      this.kernel.grow((this.#made + 1) * SLAB_BYTES)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
    this.#made += 1
    return (this.#made - 1) * SLAB_BYTES
  }

  give(slabs: readonly number[]): void {
    this.#free.push(...slabs)
  }

  /** The whole memory, as it is now: growing it leaves earlier views empty. */
  views(): Views {
    const buffer = this.kernel.buffer()
    if (this.#views?.bytes.buffer !== buffer)
      this.#views = { bytes: new Int8Array(buffer), floats: new Float32Array(buffer) }
    return this.#views
  }

  /** Slabs that are lent. */
  get lent(): number {
    return this.#made - 1 - this.#free.length
  }
}
