import type { VectorSet, VectorStore } from '../../ports/vector-store.ts'

const SAMPLE = 256
/** Each is one vector: a few megabytes in all. */
const SETS_MAX = 1_000

/** The middle of a set of vectors, of all of them or of a sample. */
export interface Centre {
  readonly mean: Float32Array
  readonly count: number
  /** How many vectors there are where the sample has all of them. */
  readonly isWhole: boolean
}

/** The middles of the sets that were asked for. Which vectors are in a sample depends on the set alone. */
export class SetCentres {
  readonly #store: VectorStore
  /** By the key of the set, least recently asked for first. */
  readonly #known = new Map<number, { readonly version: string; readonly centre: Promise<Centre> }>()

  constructor(store: VectorStore) {
    this.#store = store
  }

  async of(set: VectorSet): Promise<Centre> {
    const numbers = sampleOf(set)
    const version = `${set.removals} ${numbers.at(-1) ?? 0} ${numbers.length}`
    const known = this.#known.get(set.key)
    const current = known?.version === version ? known : { version, centre: this.#read(set, numbers) }
    this.#known.delete(set.key)
    this.#known.set(set.key, current)
    const [oldest] = this.#known.keys()
    if (this.#known.size > SETS_MAX && oldest !== undefined) this.#known.delete(oldest)
    try {
      return await current.centre
    } catch (error) {
      this.#known.delete(set.key)
      throw error
    }
  }

  async #read(set: VectorSet, numbers: readonly number[]): Promise<Centre> {
    const rows = await this.#store.read(set, { numbers })
    const mean = new Float32Array(set.generation.dimensions)
    for (const { values } of rows)
      for (let index = 0; index < mean.length; index++)
        mean[index] = (mean[index] ?? 0) + (values[index] ?? 0) / rows.length
    return { mean, count: rows.length, isWhole: set.last <= SAMPLE }
  }
}

/** All numbers of a small set. Of a large one, numbers at equal distances up to a power of two, so that it rarely changes. */
function sampleOf({ last }: VectorSet): readonly number[] {
  if (last <= SAMPLE) return Array.from({ length: last }, (_, index) => index + 1)
  const step = 2 ** Math.floor(Math.log2(last)) / SAMPLE
  return Array.from({ length: SAMPLE }, (_, index) => Math.round((index + 1) * step))
}
