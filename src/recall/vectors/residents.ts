import type { VectorSet, VectorStore } from '../../ports/vector-store.ts'
import { Arena, SLAB_BYTES } from './arena.ts'
import { Best } from './best.ts'
import { CodeSet, rowsPerSlab } from './code-set.ts'
import type { Kernel } from './kernel/kernel.ts'
import { similarity } from './similarity.ts'

/** Read at a time: about 1.5 MB of vectors, between which the event loop gets its turn. */
const ROWS_PER_PAGE = 1_000
const NUMBERS_PER_PAGE = 20_000

interface Resident {
  readonly codes: CodeSet
  /** The highest number it holds. */
  last: number
  removals: number
  /** Left to make room for another. */
  gone: boolean
  /** Ends when nobody brings it up to date any more: one at a time. */
  ready: Promise<void>
}

/**
 * The sets that are in memory, quantised. A set is read when it is first asked for; what was stored since joins it without
 * reading the rest again; the one that was not asked for the longest leaves when there is no room.
 */
export class Residents {
  readonly #store: VectorStore
  readonly #arena: Arena
  /** By the key of the set, least recently asked for first. */
  readonly #residents = new Map<number, Resident>()

  constructor(store: VectorStore, kernel: Kernel, bytesMax: number) {
    this.#store = store
    this.#arena = new Arena(kernel, bytesMax)
  }

  /** The numbers of the vectors that seem nearest, as the set is now. */
  async nearest(set: VectorSet, query: Float32Array, limit: number): Promise<readonly number[]> {
    const resident = this.#fits(set) ? await this.#upToDate(set) : undefined
    const best =
      resident === undefined ? await this.#nearestStored(set, query, limit) : resident.codes.nearest(query, limit)
    return best.sorted().map(({ number }) => number)
  }

  /** Forgets a set that was deleted. */
  drop(set: number): void {
    const resident = this.#residents.get(set)
    if (resident === undefined) return
    resident.gone = true
    resident.codes.release()
    this.#residents.delete(set)
  }

  /** For those who watch: how many sets are in memory, and how many vectors. */
  get size(): { readonly sets: number; readonly vectors: number; readonly bytes: number } {
    const vectors = [...this.#residents.values()].reduce((sum, { codes }) => sum + codes.size, 0)
    return { sets: this.#residents.size, vectors, bytes: this.#arena.lent * SLAB_BYTES }
  }

  #fits(set: VectorSet): boolean {
    return Math.ceil(set.last / rowsPerSlab(set.generation.dimensions)) <= this.#arena.slabsMax
  }

  /** `undefined` if it had to leave again before it was whole. */
  async #upToDate(set: VectorSet): Promise<Resident | undefined> {
    const resident = this.#residents.get(set.key) ?? {
      codes: new CodeSet(this.#arena, set.generation.dimensions),
      last: 0,
      removals: set.removals,
      gone: false,
      ready: Promise.resolve(),
    }
    this.#residents.delete(set.key)
    this.#residents.set(set.key, resident)
    const before = resident.ready
    const ready = before.then(() => this.#catchUp(resident, set))
    // The next caller starts again: only the caller that met the failure gets it.
    resident.ready = ready.catch(() => undefined)
    await ready
    return resident.gone ? undefined : resident
  }

  async #catchUp(resident: Resident, set: VectorSet): Promise<void> {
    if (resident.removals < set.removals) {
      resident.codes.keep(await this.#numbers(set))
      resident.removals = set.removals
    }
    while (!resident.gone && resident.last < set.last) {
      const rows = await this.#store.read(set, { after: resident.last, limit: ROWS_PER_PAGE })
      for (const row of rows) {
        while (!resident.gone && !resident.codes.add(row.number, row.values)) this.#makeRoom(set.key)
        resident.last = row.number
      }
      if (rows.length < ROWS_PER_PAGE) return
      await turn()
    }
  }

  /** The least recently asked for leaves; if there is no other, the one that wants to grow. */
  #makeRoom(wanting: number): void {
    this.drop([...this.#residents.keys()].find((key) => key !== wanting) ?? wanting)
  }

  async #numbers(set: VectorSet): Promise<ReadonlySet<number>> {
    const numbers = new Set<number>()
    for (let after = 0; ;) {
      const page = await this.#store.numbers(set, { after, limit: NUMBERS_PER_PAGE })
      for (const number of page) numbers.add(number)
      after = page.at(-1) ?? after
      if (page.length < NUMBERS_PER_PAGE) return numbers
      await turn()
    }
  }

  /** For a set that is larger than all of the memory that may be used: slow, but right. */
  async #nearestStored(set: VectorSet, query: Float32Array, limit: number): Promise<Best> {
    const best = new Best(limit)
    for (let after = 0; ;) {
      const rows = await this.#store.read(set, { after, limit: ROWS_PER_PAGE })
      for (const { number, values } of rows) best.add(number, similarity(query, values))
      after = rows.at(-1)?.number ?? after
      if (rows.length < ROWS_PER_PAGE) return best
      await turn()
    }
  }
}

/** Lets the event loop do what waits. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
