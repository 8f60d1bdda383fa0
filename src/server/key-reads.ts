import { setImmediate } from 'node:timers/promises'
import type { AccessKeyRow, AccessStore } from '../ports/access-store.ts'

/**
 * Reads the keys of requests. Requests that arrive in one turn of the event loop share one read for each key. The read begins after
 * all of them arrived, so a key that was revoked before a request arrived is never accepted.
 */
export class KeyReads implements Pick<AccessStore, 'keyById' | 'updateKey'> {
  readonly #store: Pick<AccessStore, 'keyById' | 'updateKey'>
  readonly #asked = new Map<string, Promise<AccessKeyRow | undefined>>()

  constructor(store: Pick<AccessStore, 'keyById' | 'updateKey'>) {
    this.#store = store
  }

  keyById(id: string): Promise<AccessKeyRow | undefined> {
    const asked = this.#asked.get(id)
    if (asked !== undefined) return asked
    const read = setImmediate().then(() => {
      this.#asked.delete(id)
      return this.#store.keyById(id)
    })
    this.#asked.set(id, read)
    return read
  }

  updateKey(id: string, change: (row: AccessKeyRow) => AccessKeyRow): Promise<AccessKeyRow | undefined> {
    return this.#store.updateKey(id, change)
  }
}
