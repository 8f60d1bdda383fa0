import type { Database } from './database.ts'
import { logStatements as sql } from './log-statements.ts'
import { allEach } from './program.ts'

/** So few look at the log themselves at once: it takes less time than to find out first which of them have to. */
const FEW = 8
const SESSIONS_PER_LOOK = 1_000

interface End {
  readonly key: number
  readonly lastSeq: number
}

interface Watched {
  readonly scope: string
  /** Absent where any change in the scope counts. */
  readonly session: string | undefined
  readonly listeners: Set<() => void>
  /** Where it ended at the last look, in whatever words; undefined before the first. */
  end: string | undefined
}

type OfSession = Watched & { readonly session: string }

/**
 * Who waits for messages of which session. A bell rings for all of them, since nobody says where something was committed: one
 * look finds the sessions that have moved, and only who follows those is woken. Otherwise a thousand that wait would each ask
 * the log after every commit of anybody. Of bells that ring meanwhile only one is remembered, however many they are.
 */
export class WatchedSessions {
  readonly #database: Database
  readonly #watched = new Map<string, Watched>()
  #listeners = 0
  #looking = false
  #again = false

  constructor(database: Database) {
    this.#database = database
  }

  get size(): number {
    return this.#listeners
  }

  add(scope: string, session: string | undefined, listener: () => void): () => void {
    const name = JSON.stringify([scope, session ?? null])
    const watched = this.#watched.get(name) ?? { scope, session, listeners: new Set(), end: undefined }
    this.#watched.set(name, watched)
    // Its own, so that one function may listen twice.
    const own = (): void => listener()
    watched.listeners.add(own)
    this.#listeners += 1
    return () => {
      if (!watched.listeners.delete(own)) return
      this.#listeners -= 1
      if (watched.listeners.size === 0 && this.#watched.get(name) === watched) this.#watched.delete(name)
    }
  }

  /** Something was committed somewhere. */
  ring(): void {
    if (this.#listeners <= FEW) return this.wakeAll()
    this.#again = true
    if (!this.#looking) void this.#look()
  }

  wakeAll(): void {
    for (const watched of this.#watched.values()) wake(watched)
  }

  clear(): void {
    for (const { listeners } of this.#watched.values()) listeners.clear()
    this.#watched.clear()
    this.#listeners = 0
  }

  async #look(): Promise<void> {
    this.#looking = true
    try {
      while (this.#again) {
        this.#again = false
        const all: OfSession[] = []
        for (const watched of this.#watched.values()) {
          if (isOfSession(watched)) all.push(watched)
          else wake(watched)
        }
        for (let at = 0; at < all.length; at += SESSIONS_PER_LOOK)
          await this.#wakeMoved(all.slice(at, at + SESSIONS_PER_LOOK))
      }
    } catch {
      // Whatever keeps this from being read keeps them too, and they have somebody to tell.
      this.wakeAll()
    } finally {
      this.#looking = false
    }
  }

  async #wakeMoved(some: readonly OfSession[]): Promise<void> {
    const ends = await this.#database.read('look for new messages', 'every scope', () =>
      allEach<End>(
        sql.end,
        some.map(({ scope, session }) => [scope, session]),
      ),
    )
    for (const [index, watched] of some.entries()) {
      const [found] = ends[index] ?? []
      const end = found === undefined ? 'none' : `${found.key} ${found.lastSeq}`
      if (end === watched.end) continue
      watched.end = end
      wake(watched)
    }
  }
}

function isOfSession(watched: Watched): watched is OfSession {
  return watched.session !== undefined
}

function wake({ listeners }: Watched): void {
  for (const listener of listeners) listener()
}
