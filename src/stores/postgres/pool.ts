import { setTimeout } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import { type Driver, loadDriver, typesOf } from './driver.ts'
import { fromPostgres, isConflict, isLost } from './errors.ts'
import { identifier } from './identifier.ts'
import { Link } from './link.ts'
import type { PoolOptions } from './options.ts'
import { Primary } from './primary.ts'
import { statements } from './statement.ts'

const IDLE_MS_MAX = 30_000
const PAUSE_MS_MAX = 500
/** Over the server's own time-out: this one is for a server that says nothing any more. */
const SILENCE_MS = 5_000

/** Connections to one server, so many at most; who waits too long for one is told so. */
export class Pool {
  readonly options: PoolOptions
  readonly #pool: Driver.Pool
  readonly #primary: Primary
  readonly #prepare: ReturnType<typeof statements>
  readonly #closing: PromiseWithResolvers<never> = Promise.withResolvers()
  #closed = false
  /** Without those that are still being made: a server that does not answer is away, and nobody uses it. */
  #inUse = 0

  private constructor(driver: typeof Driver, url: string, options: PoolOptions) {
    this.options = options
    this.#closing.promise.catch(() => undefined) // only who waits hears of it
    this.#prepare = statements(options.prepare)
    const primary = new Primary(url)
    this.#primary = primary
    this.#pool = new driver.Pool({
      Client: primary.clients(driver, options.waitMs),
      max: options.connections,
      connectionTimeoutMillis: options.waitMs,
      idleTimeoutMillis: IDLE_MS_MAX,
      // As with a file: a memory that nobody uses does not keep the process alive.
      allowExitOnIdle: true,
      keepAlive: true,
      pipeline: true,
      query_timeout: options.statementMs + SILENCE_MS,
      types: typesOf(driver),
      application_name: 'daybook',
      onConnect: async (client: Driver.ClientBase) => {
        // Without a listener a lost connection would end the process; whoever uses it hears of it from the driver.
        client.on('error', () => undefined)
        await primary.greet(client)
        await client.query(sessionSettings(options))
      },
    } as Driver.PoolConfig & { readonly pipeline: true })
    this.#pool.on('error', () => undefined)
    this.#pool.on('acquire', () => void (this.#inUse += 1))
    this.#pool.on('release', (broken: unknown, client) => {
      this.#inUse -= 1
      if (broken === true) primary.broke(client)
    })
  }

  static async open(url: string, options: PoolOptions): Promise<Pool> {
    return new Pool(await loadDriver(), url, options)
  }

  get closed(): boolean {
    return this.#closed
  }

  async take(attempt: string): Promise<Link> {
    this.refuseClosed()
    try {
      let client = await this.#connect()
      while (this.#primary.isOld(client)) {
        client.release(true)
        client = await this.#connect()
      }
      return new Link(client, this.#prepare)
    } catch (error) {
      this.refuseClosed()
      if (this.#isExhausted(error)) throw this.#exhausted(attempt, error)
      throw error
    }
  }

  /** The driver forgets those who wait when it is closed: they would wait for as long as they may. */
  #connect(): Promise<Driver.PoolClient> {
    const connecting = this.#pool.connect()
    // One that comes after all goes back: whoever asked for it was told before.
    connecting.then((client) => this.#closed && client.release(true)).catch(() => undefined)
    return Promise.race([connecting, this.#closing.promise])
  }

  /** Tries until it is done, or cannot be, or has taken too long. Only for what may be done twice. */
  async persist<Result>(attempt: string, once: () => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.options.waitMs
    for (let tries = 0; ; tries++) {
      try {
        return await once()
      } catch (error) {
        if (MemoryError.is(error)) throw error
        const again = isLost(error) || isConflict(error)
        if (!again || performance.now() > deadline || this.#closed) throw fromPostgres(attempt, error)
      }
      await setTimeout(Math.random() * Math.min(PAUSE_MS_MAX, 5 * 2 ** Math.min(tries, 10)))
    }
  }

  /** A connection for what may be done twice, outside the transactions of programs. */
  using<Result>(attempt: string, work: (link: Link) => Promise<Result>): Promise<Result> {
    return this.persist(attempt, () => this.once(attempt, work))
  }

  /** The same, tried once. */
  async once<Result>(attempt: string, work: (link: Link) => Promise<Result>): Promise<Result> {
    const link = await this.take(attempt)
    try {
      return await work(link)
    } finally {
      link.release(link.failure !== undefined)
    }
  }

  refuseClosed(): void {
    if (this.#closed) throw closed()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#closing.reject(closed())
    await this.#pool.end()
  }

  #isExhausted(error: unknown): boolean {
    return (
      error instanceof Error && error.message.startsWith('timeout exceeded') && this.#inUse >= this.options.connections
    )
  }

  #exhausted(attempt: string, error: unknown): MemoryError {
    const { connections, waitMs } = this.options
    return new MemoryError(
      'store/busy',
      `Cannot ${attempt}: all ${connections} connections were in use for ${waitMs} ms, expected one to be free (options: postgres.connections, postgres.waitMs)`,
      { connections, waitMs },
      error,
    )
  }
}

function closed(): MemoryError {
  return new MemoryError('store/closed', 'Cannot use this memory: it was closed, open another', {})
}

/** Said once for each connection. `public` is searched too, since extensions are installed there. */
function sessionSettings({ schema, statementMs, lockMs }: PoolOptions): string {
  return [
    `SET search_path = ${identifier(schema)}, public`,
    `SET client_encoding = 'UTF8'`,
    `SET statement_timeout = ${statementMs}`,
    `SET lock_timeout = ${lockMs}`,
    `SET idle_in_transaction_session_timeout = ${statementMs}`,
    // Stronger settings than `on` are the operator's choice and stay.
    `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
  ].join('; ')
}
