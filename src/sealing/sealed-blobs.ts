import type { Blob, LogStore } from '../ports/log-store.ts'
import type { DataKey, KeyRing } from './key-ring.ts'
import { blobName, keyOfBytes, openBlob } from './seal-rows.ts'

/** How many hashes it is remembered of which session shows them. */
const HASHES_KEPT_MAX = 10_000

/**
 * Blobs by their hashes. They are stored under names made with the key of the session that shows them, so whoever asks by hash
 * must try keys: first those of sessions in which the hash was seen, then all of the scope.
 */
export class SealedBlobs {
  readonly #log: Pick<LogStore, 'blobs'>
  readonly #ring: KeyRing
  readonly #seen = new Map<string, Set<string>>()

  constructor(log: Pick<LogStore, 'blobs'>, ring: KeyRing) {
    this.#log = log
    this.#ring = ring
  }

  /** A body that was read or written shows these. */
  saw(key: DataKey, hashes: readonly string[]): void {
    for (const hash of hashes) {
      const name = `${key.scope}\n${hash}`
      const keys = this.#seen.get(name) ?? new Set()
      this.#seen.delete(name)
      this.#seen.set(name, keys.add(key.id))
      const [oldest] = this.#seen.keys()
      if (this.#seen.size > HASHES_KEPT_MAX && oldest !== undefined) this.#seen.delete(oldest)
    }
  }

  async read(scope: string, hashes: readonly string[]): Promise<readonly Blob[]> {
    // Some were stored in the clear.
    const found = new Map((await this.#log.blobs(scope, hashes)).map((blob) => [blob.hash, blob]))
    for (const where of ['seen', 'scope'] as const) {
      const missing = hashes.filter((hash) => !found.has(hash))
      if (missing.length === 0) break
      const names = new Map<string, { readonly hash: string; readonly key: DataKey }>()
      const all = where === 'scope' ? await this.#ring.ofScope(scope) : []
      for (const hash of missing) {
        const keys = where === 'scope' ? all : await this.#keysThatSaw(scope, hash)
        for (const key of keys) names.set(blobName(key, hash), { hash, key })
      }
      for (const blob of await this.#log.blobs(scope, [...names.keys()])) {
        const named = names.get(blob.hash)
        if (named !== undefined && keyOfBytes(blob.bytes) === named.key.id)
          found.set(named.hash, { hash: named.hash, bytes: openBlob(named.key, blob) })
      }
    }
    return [...found.values()]
  }

  async #keysThatSaw(scope: string, hash: string): Promise<readonly DataKey[]> {
    const keys: DataKey[] = []
    for (const id of this.#seen.get(`${scope}\n${hash}`) ?? []) {
      const key = await this.#ring.byId(id)
      if (key !== undefined) keys.push(key)
    }
    return keys
  }
}
