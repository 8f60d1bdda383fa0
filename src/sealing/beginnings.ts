import type { DataKey, KeyRing } from './key-ring.ts'

/** A key for a session that begins. Of the changes that hold it, one may use it. */
export interface Beginning {
  readonly key: DataKey
  user: object | undefined
  holders: number
}

/**
 * Keys for sessions that begin. Changes that arrive together share one, since making one is a sync of the disk. Each key is used once, since
 * the session may have been forgotten, with its key, before the next change is decided.
 */
export class Beginnings {
  readonly #ring: KeyRing
  readonly #made = new Map<string, Promise<Beginning>>()

  constructor(ring: KeyRing) {
    this.#ring = ring
  }

  async hold(scope: string, session: string): Promise<Beginning> {
    const name = JSON.stringify([scope, session])
    const made = this.#made.get(name)
    const shared = await made
    if (shared !== undefined && shared.user === undefined && this.#made.get(name) === made) {
      shared.holders += 1
      return shared
    }
    const fresh = this.#begin(scope, session)
    this.#made.set(name, fresh)
    try {
      const begun = await fresh
      begun.holders += 1
      return begun
    } catch (error) {
      if (this.#made.get(name) === fresh) this.#made.delete(name)
      throw error
    }
  }

  /** Destroyed after its last holder, if nobody used it. */
  async release(beginning: Beginning, user: object, isUsed: boolean): Promise<void> {
    if (beginning.user === user && !isUsed) beginning.user = undefined
    beginning.holders -= 1
    if (beginning.holders > 0) return
    const { scope, session, id } = beginning.key
    const name = JSON.stringify([scope, session])
    if ((await this.#made.get(name)) === beginning && beginning.holders === 0) this.#made.delete(name)
    if (beginning.user === undefined && beginning.holders === 0) await this.#ring.destroy([id])
  }

  async #begin(scope: string, session: string): Promise<Beginning> {
    return { key: await this.#ring.begin(scope, session), user: undefined, holders: 0 }
  }
}
