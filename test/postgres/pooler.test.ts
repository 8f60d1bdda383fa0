import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { testMemory } from '../contract/test-memory.ts'
import { type TestDatabase, Subjects, databaseOn, withClient } from './database.ts'
import { type Pooler, hasPooler, startPooler } from './pooler.ts'
import { type Server, serverBinaries, startServer } from './server.ts'

const CALLERS = 64
const CONNECTIONS = 5

describe.skipIf(!hasPooler || serverBinaries() === undefined)(
  'behind PgBouncer, a connection for each transaction',
  () => {
    let server: Server
    let pooler: Pooler
    const subjects = new Subjects({}, async () => behind(await databaseOn(server.url)))
    beforeAll(async () => {
      server = await startServer()
      pooler = await startPooler(server.url, CONNECTIONS)
    }, 60_000)
    afterAll(async () => {
      await subjects[Symbol.asyncDispose]()
      await pooler?.[Symbol.asyncDispose]()
      await server?.stop()
    })

    /** The same database, by way of the pooler; who looks behind the memory's back goes straight there. */
    function behind(database: TestDatabase): TestDatabase {
      const { migrate = '' } = database.postgres
      return { ...database, url: pooler.through(database.url), postgres: { migrate: pooler.through(migrate) } }
    }

    it('[anywhere-15] 64 callers share 5 connections of the server, with the options as they are by default', async () => {
      await using direct = await databaseOn(server.url)
      const database = behind(direct)
      await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
      const ada = memory.scope('acme/ada')
      await Promise.all(
        Array.from({ length: CALLERS }, async (_, caller) => {
          const session = ada.session(`s${caller % 8}`)
          for (let turn = 0; turn < 5; turn++) {
            await session.append({ role: 'user', content: `${caller} says ${turn}` })
            await session.recent(3)
          }
        }),
      )
      const counts = await Promise.all(Array.from({ length: 8 }, (_, session) => ada.session(`s${session}`).count()))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(CALLERS * 5)
      expect(await memory.verify()).toMatchObject({ damage: [] })
      const { rows } = await withClient(direct.admin, (client) =>
        client.query(`SELECT count(*)::int AS "count" FROM pg_stat_activity WHERE usename = 'daybook_test_runtime'`),
      )
      expect(rows).toEqual([{ count: expect.any(Number) as number }])
      expect((rows[0] as { count: number }).count).toBeLessThanOrEqual(CONNECTIONS)
    })

    it('[anywhere-16] another program finds the connections as it left them', async () => {
      await using direct = await databaseOn(server.url)
      const database = behind(direct)
      const settings = (): Promise<unknown> =>
        withClient(database.url, async (client) => {
          const { rows } = await client.query(`SELECT current_setting('search_path') AS path,
          current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('synchronous_commit') AS commit, current_setting('idle_in_transaction_session_timeout') AS idle,
          (SELECT count(*) FROM pg_prepared_statements)::int AS prepared, (SELECT count(*) FROM pg_listening_channels())::int AS listening`)
          return rows[0] as unknown
        })
      const before = await settings()
      {
        await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
        const session = memory.scope('a').session('s')
        const watching = session.watch()[Symbol.asyncIterator]()
        const seen = watching.next()
        await session.append({ role: 'user', content: 'Hello' })
        expect((await seen).value).toMatchObject({ role: 'user' })
        await watching.return?.()
        await memory.scope('a').forget({ session: 's' })
      }
      // Every connection of the pool, one after the other.
      const after = await Promise.all(Array.from({ length: CONNECTIONS * 4 }, settings))
      for (const each of after) expect(each).toEqual(before)
    })

    it('[anywhere-15] `watch` finds what another process appends, by looking', async () => {
      await using direct = await databaseOn(server.url)
      const database = behind(direct)
      await using here = await openMemory(database.url, { learn: false, postgres: database.postgres })
      await using there = await openMemory(database.url, { learn: false, postgres: database.postgres })
      const seen: string[] = []
      const watching = (async () => {
        for await (const message of here.scope('a').session('s').watch()) if (seen.push(message.id) === 3) return
      })()
      for (const id of ['one', 'two', 'three'])
        await there.scope('a').session('s').append({ id, role: 'user', content: id })
      await watching
      expect(seen).toEqual(['one', 'two', 'three'])
    })

    it('[anywhere-15] a pooler that is killed in the middle loses and doubles nothing', async () => {
      await using direct = await databaseOn(server.url)
      let own = await startPooler(server.url, CONNECTIONS)
      const address = (url: string): string => own.through(url)
      await (await openMemory(direct.url, { learn: false, postgres: direct.postgres })).close()
      const acknowledged: string[] = []
      for (let round = 0; round < 3; round++) {
        await using memory = await openMemory(address(direct.url), { learn: false, postgres: { waitMs: 500 } })
        const session = memory.scope('a').session('s')
        const appends = Array.from({ length: CALLERS }, async (_, caller) => {
          for (let turn = 0; turn < 20; turn++) {
            const id = `${round}-${caller}-${turn}`
            await session.append({ id, role: 'user', content: id })
            acknowledged.push(id)
          }
        })
        await Promise.race(appends)
        await own[Symbol.asyncDispose]()
        await Promise.allSettled(appends)
        own = await startPooler(server.url, CONNECTIONS)
      }
      await own[Symbol.asyncDispose]()
      await using memory = await openMemory(direct.url, { learn: false, postgres: direct.postgres })
      const stored = new Set<string>()
      let after = 0
      for (;;) {
        const page = await memory.scope('a').session('s').history({ after, limit: 1_000 })
        for (const { id } of page) expect(stored.has(id) || !stored.add(id)).toBe(false)
        if (page.length === 0) break
        after = page.at(-1)?.seq ?? after
      }
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
      expect(await memory.verify()).toMatchObject({ damage: [] })
    })

    // [anywhere-15] The suite that every store runs.
    testMemory('PostgreSQL behind PgBouncer', (options) => subjects.open(options))
  },
)
