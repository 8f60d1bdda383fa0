import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { PostgresDatabase } from '../../src/stores/postgres/database.ts'
import { BatchedReads, type PendingReadsStorage } from '../../src/stores/postgres/batched-reads.ts'
import { poolOptions } from '../../src/stores/postgres/options.ts'
import { Pool } from '../../src/stores/postgres/pool.ts'
import { Transactions } from '../../src/stores/postgres/transactions.ts'
import type { Database } from '../../src/stores/sql/database.ts'
import { type Program, all, allEach, changeRows, one } from '../../src/stores/sql/program.ts'
import { type TestDatabase, freshDatabase, withClient } from './database.ts'

/** No filter: what comes back is what row security lets through. */
const SCOPES = `SELECT scope AS "scope" FROM sessions ORDER BY scope`
const SCOPES_AGAIN = `SELECT scope AS "scope" FROM sessions WHERE ? = 1 ORDER BY scope`
const BACKEND = `SELECT pg_backend_pid() AS "pid", txid_current_snapshot()::text AS "snapshot"`

const scopes = ['acme', 'acme/ada', 'acme/bob']

describe('reads that are asked for at once', () => {
  let database: TestDatabase
  let pool: Pool
  beforeAll(async () => {
    database = await freshDatabase()
    await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
    for (const scope of scopes) await memory.scope(scope).session('s').append({ role: 'user', content: 'hello' })
    pool = await Pool.open(database.url, poolOptions(database.postgres))
  })
  afterAll(async () => {
    await pool?.close()
    await database?.[Symbol.asyncDispose]()
  })

  /** Does one piece of work. */
  function working<Result>(work: (reads: Database) => Promise<Result>, through = pool): Promise<Result> {
    const transactions = new Transactions(through)
    const works: PendingReadsStorage = new AsyncLocalStorage()
    const reads = new BatchedReads(new PostgresDatabase(transactions), transactions, works)
    return works.run(new Map(), () => work(reads))
  }
  function* seen(steps: number): Program<readonly string[]> {
    const found: string[] = []
    for (let step = 0; step < steps; step++) {
      const rows = yield* all<{ readonly scope: string }>(SCOPES)
      const again = yield* allEach<{ readonly scope: string }>(SCOPES_AGAIN, [[1], [1]])
      found.push(...[rows, ...again].flat().map(({ scope }) => scope))
    }
    return [...new Set(found)]
  }

  it('[pg-9] run each under its own sight, step after step', async (context) => {
    if (database.kind === 'pglite') context.skip() // its only role is above row security
    const sights = [...scopes.map((scope) => [scope]), ['acme/ada', 'acme'], ['acme/'], [], 'every scope' as const]
    const found = await working((reads) =>
      Promise.all(sights.map((sight, index) => reads.read('look', sight, () => seen(1 + (index % 3))))),
    )
    expect(found).toEqual([
      ['acme'],
      ['acme/ada'],
      ['acme/bob'],
      ['acme', 'acme/ada'],
      ['acme/ada', 'acme/bob'],
      [],
      scopes,
    ])
  })

  it('[pg-23] share a connection and a moment, if they are of one piece of work', async () => {
    const told = await working((reads) =>
      Promise.all([
        reads.read('look', ['acme'], () => one(BACKEND)),
        reads.snapshot('look', ['acme/ada'], () => one(BACKEND)),
        Promise.resolve().then(() => reads.read('look', ['acme/bob'], () => one(BACKEND))),
      ]),
    )
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1)
    const apart = await Promise.all(
      [1, 2].map(() => working((reads) => reads.read('look', ['acme'], () => one<{ readonly pid: number }>(BACKEND)))),
    )
    if (database.kind === 'server') expect(new Set(apart.map((row) => row?.pid)).size).toBe(2)
  })

  const AT = `SELECT updated_at AS "at" FROM sessions WHERE scope = ?`
  const readAt = async (reads: Database): Promise<number | undefined> =>
    (await reads.read('look', ['acme'], () => one<{ readonly at: number }>(AT, 'acme')))?.at

  it('see what the same work wrote before, also while another read of it is on its way', async () => {
    await working(async (reads) => {
      for (let round = 0; round < 5; round++) {
        const slow = reads.read('look', ['acme/ada'], () => seen(6))
        await reads.read('look', ['acme'], () => seen(1))
        const statement = `UPDATE sessions SET updated_at = ? WHERE scope = ?`
        await reads.write('touch', ['acme'], () => changeRows(statement, round, 'acme'))
        const [at] = await Promise.all([readAt(reads), reads.read('look', ['acme/ada'], () => seen(1)), slow])
        expect(at).toBe(round)
      }
    })
  })

  it('[surface-71] share a transaction and see one moment, until the work waits for something else', async () => {
    const write = (at: number): Promise<unknown> =>
      withClient(database.admin, (client) =>
        client.query(`UPDATE daybook.sessions SET updated_at = ${at} WHERE scope = 'acme'`),
      )
    await working(async (reads) => {
      const look = (): Promise<{ readonly snapshot: string } | undefined> =>
        reads.read('look', ['acme'], () => one<{ readonly snapshot: string }>(BACKEND))
      const first = await look()
      for (let read = 0; read < 5; read++) expect(await look()).toEqual(first)
      await write(77)
      expect(await readAt(reads)).toBe(77)
    })
  })

  it('fail each for itself: a thought that throws, and a statement that the server refuses', async () => {
    const refused = new MemoryError('input/invalid', 'Cannot think', {})
    await working(async (reads) => {
      const outcomes = await Promise.allSettled([
        reads.read('look', ['acme'], () => seen(2)),
        reads.read('think', ['acme'], function* () {
          yield* all(SCOPES)
          throw refused
        }),
        reads.read('ask for nonsense', ['acme'], () => all('SELECT nonsense FROM nowhere')),
        reads.snapshot('look', ['acme'], () => seen(3)),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({ reason: refused })
      expect(outcomes[2]).toMatchObject({ reason: { code: 'store/failed', message: /Cannot ask for nonsense/ } })
      // The connection is good for the next.
      expect(await reads.read('look', 'every scope', () => seen(1))).toEqual(scopes)
    })
  })

  it('fail together when the memory is closed', async () => {
    const other = await Pool.open(database.url, poolOptions(database.postgres))
    await other.close()
    const outcomes = await working(
      (reads) =>
        Promise.allSettled([
          reads.read('look', ['acme'], () => seen(1)),
          reads.read('look', ['acme/ada'], () => seen(1)),
        ]),
      other,
    )
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store/closed' } })
  })
})
