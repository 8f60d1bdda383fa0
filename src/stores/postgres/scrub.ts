import { setTimeout } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import { identifier } from './identifier.ts'
import type { Link } from './link.ts'
import type { Pool } from './pool.ts'

/** How long a caller waits. The rest of a large table is overwritten in the background, and the next caller is told about it. */
const WAIT_MS_MAX = 5_000
/** How long a transaction that may still see what was deleted is waited for. Then it is tried again later. */
const READERS_MS_MAX = 2_000
/** When the server has counted what was deleted for certain: its processes tell their counts some ten seconds later. */
const COUNTED_MS = 60_000

/** Of all tables of the schema: whether our role may vacuum them. */
const TABLES = `SELECT c.relname::text AS "name", pg_has_role(c.relowner, 'USAGE') OR CASE
      WHEN current_setting('server_version_num')::int >= 170000 THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE false END AS "ours"
  FROM pg_class c WHERE c.relnamespace = to_regnamespace(?) AND c.relkind = 'r' ORDER BY c.relname`
/** Which number the next transaction gets: all that was deleted so far has a lower one. */
const NEXT = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS "number"`
/**
 * Transactions of this database that read or write. Everybody may see these locks, while only some may see how far back a
 * transaction looks. One that vacuums looks at nothing.
 */
const OPEN = `SELECT virtualtransaction AS "id" FROM pg_locks JOIN pg_stat_activity a USING (pid)
  WHERE locktype = 'virtualxid' AND mode = 'ExclusiveLock' AND pid <> pg_backend_pid() AND a.datname = current_database()
    AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)`
/** Those of other databases are in the way only while they write: then whoever begins here looks back as far. */
const WRITING = `SELECT 1 AS "one" WHERE pg_snapshot_xmin(pg_current_snapshot()) < ?::xid8`
/** Transactions without a connection, and standbys that ask the server to keep what they read. */
const KEPT_BACK = `SELECT 1 AS "one" FROM pg_prepared_xacts
  UNION ALL SELECT 1 FROM pg_replication_slots WHERE age(xmin) > age(?::xid8::xid) LIMIT 1`
const PASSES = `SELECT relname::text AS "name", vacuum_count + autovacuum_count AS "passes", n_dead_tup AS "dead",
    (SELECT count(*) FROM pg_stat_progress_vacuum WHERE datname = current_database()) AS "running"
  FROM pg_stat_user_tables WHERE schemaname = ?`

interface Passes {
  readonly name: string
  readonly passes: number
  readonly dead: number
  readonly running: number
}

/** How often each table must have been vacuumed for an erasure to be over. */
interface Awaited {
  readonly since: number
  readonly passes: ReadonlyMap<string, number>
}

/**
 * Takes deleted rows out of the tables and indexes of the server: no query and no dump can bring them back then. It cannot
 * overwrite the server's files, its write-ahead log and its standbys. A role that owns nothing cannot do it either, and waits
 * until the server has done it by itself.
 */
export class PostgresScrubber {
  readonly #open: () => Promise<Pool>
  #pool: Promise<Pool> | undefined
  #process: number | undefined
  #closed = false
  readonly #waiting = new Set<string>()
  readonly #clean = new Set<string>()
  readonly #awaited = new Map<string, Awaited>()
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** `open`: connections of a role that owns the tables, if there is one. */
  constructor(open: () => Promise<Pool>) {
    this.#open = open
  }

  async scrub(erasures: readonly string[]): Promise<boolean> {
    const left = erasures.filter((id) => !this.#clean.has(id))
    for (const id of left) this.#waiting.add(id)
    // One that began before the caller's rows were deleted may have passed them by.
    if (left.length > 0)
      await this.#waitFor(
        this.#running === undefined ? this.#run() : (this.#next ??= this.#running.then(() => this.#run())),
      )
    const done = erasures.every((id) => this.#clean.has(id))
    if (done) for (const id of erasures) this.#clean.delete(id)
    return done
  }

  async close(): Promise<void> {
    this.#closed = true
    const pool = await this.#pool
    if (pool === undefined) return
    const process = this.#process
    if (process !== undefined)
      await pool
        .bare('stop a vacuum', (link) =>
          link.send({ text: 'SELECT pg_cancel_backend(?)', values: [process], gives: 'rows' }),
        )
        .catch(() => undefined)
    await this.#running?.catch(() => undefined)
    await pool.close()
  }

  async #waitFor(run: Promise<void>): Promise<void> {
    run.catch(() => undefined) // reported by the next call
    const stop = new AbortController()
    const pause = setTimeout(WAIT_MS_MAX, undefined, { signal: stop.signal }).catch(() => undefined)
    await Promise.race([run, pause]).finally(() => stop.abort())
  }

  #run(): Promise<void> {
    this.#next = undefined
    const run = this.#scrub().finally(() => {
      if (this.#running === run) this.#running = undefined
    })
    this.#running = run
    return run
  }

  async #scrub(): Promise<void> {
    const erasures = [...this.#waiting]
    this.#waiting.clear()
    if (this.#closed || erasures.length === 0) return
    try {
      const pool = await (this.#pool ??= this.#open())
      const attempt = 'delete what was forgotten'
      // A vacuum does not run in a transaction.
      const vacuum = (link: Link): Promise<readonly string[]> => this.#vacuum(pool, link, erasures)
      for (const id of await pool.persist(attempt, () => pool.bare(attempt, vacuum))) this.#clean.add(id)
    } catch (error) {
      if (!isPassing(error)) throw error
    } finally {
      this.#process = undefined
    }
  }

  /** Answers with those that are over. */
  async #vacuum(pool: Pool, link: Link, erasures: readonly string[]): Promise<readonly string[]> {
    const schema = identifier(pool.options.schema)
    const tables = await rows<{ readonly name: string; readonly ours: boolean }>(link, TABLES, schema)
    if (!tables.every(({ ours }) => ours)) return this.#vacuumedByServer(pool, link, erasures)
    if (!(await areReadersGone(link))) return []
    const [process] = await rows<{ readonly id: number }>(link, 'SELECT pg_backend_pid() AS "id"')
    // Behind a pooler the next statement may run in another process, and that one is not ours to stop.
    this.#process = pool.pooled ? undefined : process?.id
    if (this.#closed) return []
    // With its indexes, also where there is little to take out: they hold words.
    await link.say(`VACUUM (INDEX_CLEANUP ON) ${tables.map(({ name }) => `${schema}.${identifier(name)}`).join(', ')}`)
    return erasures
  }

  async #vacuumedByServer(pool: Pool, link: Link, erasures: readonly string[]): Promise<readonly string[]> {
    const found = await rows<Passes>(link, PASSES, pool.options.schema)
    return erasures.filter((id) => {
      const awaited = this.#awaited.get(id)
      if (awaited === undefined) this.#awaited.set(id, awaitFrom(found))
      else if (isOver(awaited, found)) return this.#awaited.delete(id)
      return false
    })
  }
}

/** One that runs now may have passed by what was deleted a moment ago. */
function awaitFrom(found: readonly Passes[]): Awaited {
  return {
    since: performance.now(),
    passes: new Map(found.map(({ name, passes, running }) => [name, passes + (running > 0 ? 2 : 1)])),
  }
}

function isOver({ since, passes: wanted }: Awaited, found: readonly Passes[]): boolean {
  const counted = performance.now() - since > COUNTED_MS
  return found.every(({ name, passes, dead }) => passes >= (wanted.get(name) ?? 0) || (counted && dead === 0))
}

/** Whether nobody can see any more what was deleted before now: until then the server keeps it. */
async function areReadersGone(link: Link): Promise<boolean> {
  const [next] = await rows<{ readonly number: string }>(link, NEXT)
  const open = async (): Promise<readonly string[]> =>
    (await rows<{ readonly id: string }>(link, OPEN)).map(({ id }) => id)
  let left = await open()
  const deadline = performance.now() + READERS_MS_MAX
  for (let pause = 5; left.length > 0 || (await rows(link, WRITING, next?.number)).length > 0; pause *= 2) {
    if (performance.now() > deadline) return false
    await setTimeout(Math.min(pause, 100))
    const still = new Set(await open())
    left = left.filter((id) => still.has(id))
  }
  return (await rows(link, KEPT_BACK, next?.number)).length === 0
}

/** Another time may be better. */
function isPassing(error: unknown): boolean {
  const codes = ['store/busy', 'store/timeout', 'store/unavailable', 'store/closed', 'store/cannot-open'] as const
  return codes.some((code) => MemoryError.is(error, code))
}

async function rows<Row>(link: Link, text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
  return (await link.send({ text, values, gives: 'rows' })) as readonly Row[]
}
