import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { addressesOf } from '../../src/stores/postgres/primary.ts'
import { warm } from '../fault/harness/child.ts'
import { figures, percentile } from '../fault/harness/figures.ts'
import { tier, times } from '../tier.ts'
import { databaseOn, withClient } from './database.ts'
import { type Server, serverBinaries, startServer } from './server.ts'
import { WRITER, Writers, compare, counts } from './writers.ts'

const PROCESSES = times({ daily: 2, nightly: 8 })
const SESSIONS = times({ daily: 8, nightly: 64 })
const rounds = Array.from({ length: times({ daily: 1, nightly: 5 }) }, (_, round) => round)
const timeout = times({ daily: 3, nightly: 20 }) * 60_000
/** Short, so that a server that acknowledges nothing any more is soon given up. */
const STATEMENT_MS = 500

it('[pg-21] an address may name several servers', () => {
  expect(addressesOf('postgres://app:p%40x@one:5432,two:5433,[::1]:5434/name?sslmode=disable')).toEqual([
    'postgres://app:p%40x@one:5432/name?sslmode=disable',
    'postgres://app:p%40x@two:5433/name?sslmode=disable',
    'postgres://app:p%40x@[::1]:5434/name?sslmode=disable',
  ])
  expect(addressesOf('postgresql://one,two/a,b')).toEqual(['postgresql://one/a,b', 'postgresql://two/a,b'])
  for (const one of ['postgres://app@one/name', 'postgres:///name?host=/run', 'postgres://a,b:c@one/name'])
    expect(addressesOf(one)).toEqual([one])
})

describe.skipIf(serverBinaries() === undefined)('a standby that is promoted under load', () => {
  beforeAll(() => warm(WRITER))

  it.each(rounds)(
    '[pg-21] takes over from a primary that died: nothing acknowledged is lost (%i)',
    { timeout },
    async () => {
      await using pair = await startPair()
      await using writers = await pair.write()
      await writers.progress(200)
      const killedAt = Date.now()
      await pair.primary.crash()
      await promote(pair.standby)
      await writers.progress(200)
      await pair.verify(writers, 'the primary died', killedAt)
    },
  )

  // At night: a server that says nothing has to be waited for.
  it.skipIf(tier === 'daily').each(rounds)(
    '[pg-21] fences a primary that lives on: it acknowledges nothing, and all leave it (%i)',
    { timeout },
    async () => {
      await using pair = await startPair()
      await using stale = await openMemory(pair.old, {
        learn: false,
        postgres: { statementMs: STATEMENT_MS, waitMs: 2_000 },
      })
      const left = stale.scope('acme/left').session('s')
      await left.append({ role: 'user', content: 'before' })
      await using writers = await pair.write()
      await writers.progress(200)
      const promotedAt = Date.now()
      await promote(pair.standby)
      // Who knows only the old one writes, and is not told that it is stored: nobody will ever see it.
      await expect(left.append({ role: 'user', content: 'after' })).rejects.toMatchObject({ code: 'store/unknown' })
      // It is still there, and still says that it takes writes.
      await writers.progress(200)
      await using both = await openMemory(pair.both, {
        learn: false,
        postgres: { waitMs: 60_000, statementMs: STATEMENT_MS },
      })
      const chat = both.scope('acme/both').session('s')
      await chat.append({ role: 'user', content: 'found the one that acknowledges' })
      await pair.primary.crash()
      await writers.progress(200)
      expect(await chat.history()).toHaveLength(1)
      await pair.verify(writers, 'the primary lived on', promotedAt)
      await using memory = await openMemory(pair.promoted, { learn: false })
      expect(await memory.scope('acme/left').session('s').history()).toHaveLength(1)
    },
  )
})

it.skipIf(serverBinaries() === undefined)(
  '[pg-21] [pg-5] what a crash left at the primary alone is not acknowledged before the standby has it',
  { timeout },
  async () => {
    await using stack = new AsyncDisposableStack()
    const server = await startServer()
    stack.defer(() => server.stop())
    const { url, postgres } = await databaseOn(server.url)
    await using memory = await openMemory(url, { learn: false, postgres: { ...postgres, waitMs: 120_000 } })
    await withClient(server.url, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = 'away'`)
      await client.query('SELECT pg_reload_conf()')
    })
    const chat = memory.scope('a').session('s')
    const appended = chat.append({ role: 'user', content: 'x' })
    await waitsForStandby(server)
    // Its commit is in the log of the server, so that it is there after the crash, and nobody else has it.
    await server.crash()
    await server.start()
    const first = await Promise.race([
      appended.then(() => 'acknowledged'),
      waitsForStandby(server).then(() => 'waits for the standby'),
    ])
    expect(first).toBe('waits for the standby')
    await withClient(server.url, async (client) => {
      await client.query('ALTER SYSTEM RESET synchronous_standby_names')
      await client.query('SELECT pg_reload_conf()')
    })
    expect(await appended).toMatchObject([{ seq: 1 }])
    expect(await chat.history()).toHaveLength(1)
  },
)

async function waitsForStandby(server: Server): Promise<void> {
  await withClient(server.url, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
      if ((rowCount ?? 0) > 0) return
      await setTimeout(20)
    }
  })
}

interface Pair extends AsyncDisposable {
  readonly primary: Server
  readonly standby: Server
  readonly old: string
  readonly promoted: string
  readonly both: string
  write(): Promise<Writers>
  verify(writers: Writers, title: string, since: number): Promise<void>
}

/** A primary that acknowledges only what its standby has, with an empty memory. */
async function startPair(): Promise<Pair> {
  const servers = new AsyncDisposableStack()
  try {
    const primary = await startServer()
    servers.defer(() => primary.stop())
    const standby = await primary.standby()
    servers.defer(() => standby.stop())
    await replicateSynchronously(primary)
    const database = await databaseOn(primary.url)
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    const promoted = database.url.replace(`:${primary.port}/`, `:${standby.port}/`)
    const both = database.url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`)
    const stack = servers.move()
    return {
      primary,
      standby,
      old: database.url,
      promoted,
      both,
      write: () =>
        Writers.start({
          processes: PROCESSES,
          sessions: SESSIONS,
          url: both,
          postgres: { waitMs: 120_000, statementMs: STATEMENT_MS, connections: 4 },
        }),
      verify: async (writers, title, since) => {
        await writers.stop()
        const found = await compare(promoted, writers.lines)
        const recoveries = writers.recovery(since)
        figures(`${PROCESSES} processes × ${SESSIONS} sessions, ${title}`, {
          acknowledged: writers.lines.length,
          'ms to the first answer of a process, p50': percentile(recoveries, 0.5),
          'ms max': Math.max(...recoveries),
          ...counts(found),
        })
        expect(found).toMatchObject({ lost: [], doubled: [], disordered: [], denied: [] })
        // Rows that a write to the old primary holds, which is never acknowledged, hold others up for longer than these wait.
        for (const code of found.failed) expect(['store/timeout', 'store/busy']).toContain(code)
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await servers.disposeAsync()
    throw error
  }
}

async function replicateSynchronously(primary: Server): Promise<void> {
  await withClient(primary.url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await client.query('SELECT pg_reload_conf()')
    for (;;) {
      const { rowCount } = await client.query(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)
      if (rowCount === 1) return
      await setTimeout(20)
    }
  })
}

async function promote(standby: Server): Promise<void> {
  await withClient(standby.url, (client) => client.query('SELECT pg_promote(true)'))
}
