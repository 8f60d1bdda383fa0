import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { DataKey, KeyRing } from './key-ring.ts'

/** Of how many keys it is remembered that they are gone. */
const GONE_KEPT_MAX = 10_000

interface Keyed<Row> {
  /** Where it was found. */
  readonly from: LogStore
  readonly found: readonly Row[]
  /** Those that are not here are gone. */
  readonly keys: ReadonlyMap<string, DataKey>
}

/**
 * Reads rows, and the keys to them. What was read before its key was destroyed may have been sealed with another meanwhile: it is read
 * again, and from where nothing is behind. Only what names a key that was gone before it was read is lost.
 */
export class KeyedReads {
  readonly #primary: LogStore
  readonly #ring: KeyRing
  /** Keys that were not found, and how many reads had begun by then. */
  readonly #gone = new Map<string, number>()
  #reads = 0

  constructor(primary: LogStore, ring: KeyRing) {
    this.#primary = primary
    this.#ring = ring
  }

  async read<Row>(
    first: LogStore,
    read: (from: LogStore) => Promise<readonly Row[]>,
    sealedIn: (row: Row) => string | null,
  ): Promise<Keyed<Row>> {
    for (let from = first; ; from = this.#primary) {
      this.#reads += 1
      const begun = this.#reads
      const found = await read(from)
      const keys = new Map<string, DataKey>()
      let isOld = false
      for (const row of found) {
        const text = sealedIn(row)
        const id = isSealed(text) ? keyOfSealed(text) : undefined
        if (id === undefined || keys.has(id)) continue
        const key = this.#ring.kept(id) ?? (await this.#ring.byId(id))
        if (key !== undefined) keys.set(id, key)
        else if (from !== this.#primary || this.#foundGone(id) >= begun) isOld = true
      }
      if (!isOld) return { found, keys, from }
    }
  }

  #foundGone(id: string): number {
    const known = this.#gone.get(id)
    if (known !== undefined) return known
    if (this.#gone.size >= GONE_KEPT_MAX) this.#gone.clear()
    this.#gone.set(id, this.#reads)
    return this.#reads
  }
}
