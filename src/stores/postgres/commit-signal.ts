import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Link } from './link.ts'
import type { WatchedSessions } from '../sql/watched-sessions.ts'
import type { Pool } from './pool.ts'

/** Only a safety net: a process may die after its commit and before it told anybody. */
const POLL_MS = 1_000
const RECONNECT_MS = 200

/**
 * Tells subscribers that something was committed, by this process or another. It is only a bell: what there is to know is
 * read from the log, so a bell that rings twice or too early harms nobody, and after a connection was lost it rings once.
 *
 * Told after the commit and not in it: a transaction that notifies commits under a lock of the whole server, one after the
 * other, and no two of them would share a sync.
 */
export class PostgresCommitSignal {
  readonly #pool: Pool
  /** Apart from the others: whoever listens holds a connection for as long as it does. */
  readonly #listening: Pool
  readonly #channel: string
  readonly #watched: WatchedSessions
  #poll: NodeJS.Timeout | undefined
  #stop: AbortController | undefined
  #telling: Promise<void> | undefined
  #again = false

  constructor(pool: Pool, listening: Pool, watched: WatchedSessions) {
    this.#pool = pool
    this.#listening = listening
    this.#watched = watched
    this.#channel = notificationChannel(pool.options.schema)
  }

  subscribe(scope: string, session: string | undefined, listener: () => void): () => void {
    const leave = this.#watched.add(scope, session, listener)
    if (this.#watched.size === 1) this.#start()
    return () => {
      leave()
      if (this.#watched.size === 0) this.#end()
    }
  }

  /** Something was committed here: rings, and tells the other processes. */
  committed(): void {
    this.#ring()
    this.#again = true
    this.#telling ??= this.#tell()
  }

  async settled(): Promise<void> {
    await this.#telling
  }

  close(): void {
    this.#end()
    this.#watched.wakeAll()
    this.#watched.clear()
  }

  #ring(): void {
    this.#watched.ring()
  }

  /** One message for all commits since the last: who listens looks at the log, not at the message. */
  async #tell(): Promise<void> {
    try {
      while (this.#again && !this.#pool.closed) {
        this.#again = false
        await this.#pool.bare('tell others of a commit', (link) =>
          link.send({ text: 'SELECT pg_notify(?, ?)', values: [this.#channel, ''], gives: 'rows' }),
        )
      }
    } catch {
      // What is stored is stored; others find it when they look.
    } finally {
      // Here and not behind the promise: a commit between the last look and its end would be told by nobody.
      this.#telling = undefined
    }
  }

  #start(): void {
    if (this.#pool.closed) return
    this.#stop = new AbortController()
    // Keeps the process alive while somebody waits for messages, as an open socket would.
    this.#poll = setInterval(() => this.#ring(), POLL_MS)
    // A pooler gives the connection that listens to others: behind one, looking every second is all there is.
    if (!this.#pool.pooled) void this.#listen(this.#stop.signal)
  }

  #end(): void {
    clearInterval(this.#poll)
    this.#stop?.abort()
    this.#stop = undefined
  }

  async #listen(stop: AbortSignal): Promise<void> {
    while (!stop.aborted && !this.#pool.closed) {
      let link: Link | undefined
      try {
        link = await this.#listening.take('listen for commits')
        await link.listen(
          this.#channel,
          () => this.#ring(),
          stop,
          () => this.#ring(),
        )
      } catch {
        // The server is away; the poll serves until it is back.
      } finally {
        link?.release(true)
      }
      await pause(RECONNECT_MS, undefined, { ref: false })
    }
  }
}

/** What the server takes as the name of a channel; a longer one it would refuse to tell, and cut to listen to. */
const NAME_BYTES_MAX = 63

export function notificationChannel(schema: string): string {
  const name = `daybook_${schema}`
  return Buffer.byteLength(name) <= NAME_BYTES_MAX ? name : `daybook_${hash('sha256', schema).slice(0, 48)}`
}
