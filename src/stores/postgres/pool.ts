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

/** Connections to one server, at most so many; waiting too long for one is an error. */
export class Pool {
  readonly options: PoolOptions
  readonly #pool: Driver.Pool
  readonly #primary: Primary
  readonly #named: ReturnType<typeof statements>
  readonly #unnamed: ReturnType<typeof statements> = statements(false)
  /** For the start of every transaction: nothing is set for a connection, which behind a pooler others get as well. */
  readonly settings: string
  #pooled = false
  readonly #closing: PromiseWithResolvers<never> = Promise.withResolvers()
  #closed = false
  /** Without those that are still being made: a server that does not answer is away, and nobody uses it. */
  #inUse = 0

  private constructor(driver: typeof Driver, url: string, options: PoolOptions) {
    this.options = options
    this.#closing.promise.catch(() => undefined) // only callers that wait get the error
    this.#named = statements(options.prepare !== false)
    this.settings = transactionSettings(options)
    const primary = new Primary(url)
    this.#primary = primary
    this.#pool = new driver.Pool({
      Client: primary.clients(driver, options.waitMs, (client) => this.#greet(client)),
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
      ...options.login,
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

  /** Whether connections lead to a pooler, which may give every transaction another connection of the server. */
  get pooled(): boolean {
    return this.#pooled
  }

  /** A server names its process when a connection begins; a pooler makes up a number, or gives none. */
  async #greet(client: Driver.Client): Promise<void> {
    // Without a listener a lost connection would end the process; whoever uses it gets the error from the driver.
    client.on('error', () => undefined)
    const { rows } = await client.query<{ readonly id: number }>('SELECT pg_backend_pid() AS "id"')
    const { processID } = client as { readonly processID?: number | null }
    if (rows[0]?.id !== processID) this.#pooled = true
    await this.#primary.greet(client)
  }

  async take(attempt: string): Promise<Link> {
    this.refuseClosed()
    try {
      let client = await this.#connect()
      while (this.#primary.isOld(client)) {
        client.release(true)
        client = await this.#connect()
      }
      return new Link(client, this.#pooled && this.options.prepare !== true ? this.#unnamed : this.#named)
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

  /** A transaction that may run twice, apart from those of programs. */
  using<Result>(attempt: string, work: (link: Link) => Promise<Result>): Promise<Result> {
    return this.persist(attempt, () => this.once(attempt, work))
  }

  /** The same, tried once. */
  once<Result>(attempt: string, work: (link: Link) => Promise<Result>): Promise<Result> {
    return this.bare(attempt, async (link) => {
      void link.say('BEGIN ISOLATION LEVEL READ COMMITTED').catch(() => undefined)
      void link.send({ text: `SELECT ${this.settings}`, values: [], gives: 'rows' })
      try {
        const result = await work(link)
        await link.say('COMMIT')
        return result
      } catch (error) {
        await link.say('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  }

  /** A connection without a transaction and without our settings, for what names everything itself. Tried once. */
  async bare<Result>(attempt: string, work: (link: Link) => Promise<Result>): Promise<Result> {
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
      `Cannot ${attempt}: all ${connections} connections were in use for ${waitMs} ms. Raise postgres.connections or postgres.waitMs`,
      { connections, waitMs },
      error,
    )
  }
}

function closed(): MemoryError {
  return new MemoryError('store/closed', 'Cannot use this memory: it was closed, open another', {})
}

/** `public` is searched too, since extensions are installed there. */
function transactionSettings({ schema, statementMs, lockMs }: PoolOptions): string {
  const settings = {
    search_path: literal(`${identifier(schema)}, public`),
    statement_timeout: literal(String(statementMs)),
    lock_timeout: literal(String(lockMs)),
    idle_in_transaction_session_timeout: literal(String(statementMs)),
    // Stronger settings than `on` are the operator's choice and stay.
    synchronous_commit: `replace(current_setting('synchronous_commit'), 'off', 'on')`,
  }
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', ${value}, true)`)
    .join(', ')
}

function literal(text: string): string {
  // Escaped in a way that does not depend on the server's settings.
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
