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
    const missing = (): readonly string[] => hashes.filter((hash) => !found.has(hash))
    const seen: (readonly [string, DataKey])[] = []
    for (const hash of missing()) for (const key of await this.#keysThatSaw(scope, hash)) seen.push([hash, key])
    await this.#find(scope, seen, found)
    let tried = ''
    while (missing().length > 0) {
      const keys = await this.#ring.ofScope(scope)
      const all = missing().flatMap((hash) => keys.map((key) => [hash, key] as const))
      await this.#find(scope, all, found)
      // Where a session was getting another key, what has just been looked for may have got its other name in between.
      const state = keys.map(({ id }) => id).join()
      if (state === tried || (tried === '' && !(await this.#isMoving(scope, keys)))) break
      tried = state
    }
    return [...found.values()]
  }

  /** Whether a session has two keys, or others than before. */
  async #isMoving(scope: string, before: readonly DataKey[]): Promise<boolean> {
    const now = await this.#ring.ofScope(scope)
    const sessions = new Set(now.map(({ session }) => session))
    return sessions.size < now.length || now.some(({ id }) => !before.some((key) => key.id === id))
  }

  async #find(
    scope: string,
    among: readonly (readonly [hash: string, key: DataKey])[],
    found: Map<string, Blob>,
  ): Promise<void> {
    if (among.length === 0) return
    const names = new Map(among.map(([hash, key]) => [blobName(key, hash), { hash, key }]))
    for (const blob of await this.#log.blobs(scope, [...names.keys()])) {
      const named = names.get(blob.hash)
      if (named !== undefined && keyOfBytes(blob.bytes) === named.key.id)
        found.set(named.hash, { hash: named.hash, bytes: openBlob(named.key, blob) })
    }
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
