import type { LogStore, Segment } from '../ports/log-store.ts'

/** A copy is behind for moments: so many sessions are not forgotten in meanwhile. */
const AHEAD_KEPT_MAX = 10_000

/**
 * Where to read a session: in the log at hand, which may be a copy that is behind, or in the one that is never behind. A copy that has
 * a session only with a key that is gone cannot give its rows either, so what hangs on that session is read where it was found.
 */
export class ReadSources {
  readonly log: LogStore
  readonly primary: LogStore
  readonly #ahead = new Set<number>()

  constructor(log: LogStore, primary: LogStore) {
    this.log = log
    this.primary = primary
  }

  /** For rows of these. */
  of(owners: readonly Pick<Segment, 'key'>[]): LogStore {
    return owners.some(({ key }) => this.#ahead.has(key)) ? this.primary : this.log
  }

  /** A session was found there, with all that it sees. */
  note(lineage: readonly Pick<Segment, 'key'>[], from: LogStore): void {
    if (this.log === this.primary) return
    if (this.#ahead.size >= AHEAD_KEPT_MAX) this.#ahead.clear()
    for (const { key } of lineage) {
      if (from === this.log) this.#ahead.delete(key)
      else this.#ahead.add(key)
    }
  }
}
