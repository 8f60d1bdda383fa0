import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MemoryEvent } from '../../src/memory/events.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { refuseUnfit } from '../../src/stores/postgres/check-server.ts'
import { type TestDatabase, databaseOn, freshDatabase, withClient } from './database.ts'
import { type Server, serverBinaries, startServer } from './server.ts'

const sound = {
  version: 150_004,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  encoding: 'UTF8',
  superuser: false,
  bypass: false,
  role: 'app',
  standby: false,
}

describe('a server that cannot keep our promises', () => {
  it('[pg-15] is refused by what it says of itself', () => {
    expect(refuseUnfit(sound, [])).toEqual([])
    expect(() => refuseUnfit({ ...sound, version: 140_011 }, [])).toThrow(/PostgreSQL 14, expected 15/)
    expect(() => refuseUnfit({ ...sound, standby: true }, [])).toThrow(/standby/)
    expect(() => refuseUnfit({ ...sound, fullPageWrites: 'off' }, [])).toThrow(/full_page_writes/)
    expect(() => refuseUnfit({ ...sound, fsync: 'off', superuser: true }, ['superuser'])).toThrow(/fsync is off/)
    expect(refuseUnfit({ ...sound, fsync: 'off' }, ['fsync-off'])).toMatchObject([['fsync-off', /fsync/]])
  })
})

describe.skipIf(serverBinaries() === undefined)('settings of a real server', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.stop())

  it('[pg-15] fsync=off is refused, and told as an event where it was accepted', async () => {
    await using database = await databaseOn(server.url)
    await reload(server, 'ALTER SYSTEM SET fsync = off')
    const { postgres, url } = database
    await expect(openMemory(url, { learn: false, postgres })).rejects.toMatchObject({
      code: 'store/unsafe',
      details: { dangers: ['fsync-off'] },
    })
    const events: MemoryEvent[] = []
    const accepting = {
      learn: false,
      postgres: { ...postgres, accept: ['fsync-off'] },
      onEvent: (event: MemoryEvent) => events.push(event),
    } as const
    await (await openMemory(url, accepting)).close()
    expect(events).toMatchObject([{ type: 'store-warning', danger: 'fsync-off' }])
    await reload(server, 'ALTER SYSTEM RESET fsync')
  })

  it('[pg-15] synchronous_commit=off is told, and is on for what we write', async () => {
    await using database = await databaseOn(server.url)
    const name = new URL(database.url).pathname.slice(1)
    await withClient(server.url, (client) => client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`))
    const events: MemoryEvent[] = []
    const options = {
      learn: false,
      postgres: database.postgres,
      onEvent: (event: MemoryEvent) => events.push(event),
    } as const
    await using memory = await openMemory(database.url, options)
    expect(events).toMatchObject([{ type: 'store-warning', danger: 'synchronous-commit-off' }])
    await withClient(database.admin, async (client) => {
      // What each of our transactions runs with, written down by the server itself.
      await client.query(`CREATE TABLE public.seen (setting TEXT);
        GRANT INSERT ON public.seen TO PUBLIC;
        CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO public.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
        CREATE TRIGGER note AFTER INSERT ON daybook.messages FOR EACH ROW EXECUTE FUNCTION public.note()`)
      await memory.scope('a').session('s').append({ role: 'user', content: 'x' })
      expect((await client.query('SELECT setting FROM public.seen')).rows).toEqual([{ setting: 'on' }])
    })
  })

  it('[pg-15] a database that is not UTF8, a superuser and a role that bypasses row security are refused', async () => {
    await using database = await databaseOn(server.url)
    await withClient(server.url, async (client) => {
      await client.query(`CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`)
      await client.query(`CREATE ROLE climber LOGIN BYPASSRLS PASSWORD 'x'`)
    })
    const at = (url: string, change: (url: URL) => void): string => {
      const other = new URL(url)
      change(other)
      return other.href
    }
    const ascii = at(database.url, (url) => (url.pathname = '/ascii'))
    const climber = at(database.url, (url) => (url.username = 'climber'))
    for (const [url, danger] of [
      [ascii, 'encoding'],
      [database.admin, 'superuser'],
      [climber, 'bypass-row-security'],
    ] as const) {
      await expect(openMemory(url, { learn: false, postgres: database.postgres })).rejects.toMatchObject({
        code: 'store/unsafe',
        details: { dangers: [danger] },
      })
    }
  })

  it('[pg-10] [pg-15] a role without rights is told what is missing; one that owns the tables is told of it', async () => {
    await using database = await databaseOn(server.url)
    await expect(openMemory(database.url, { learn: false })).rejects.toMatchObject({ code: 'store/forbidden' })
    const events: MemoryEvent[] = []
    const owner = database.postgres.migrate ?? ''
    await (await openMemory(owner, { learn: false, onEvent: (event) => events.push(event) })).close()
    expect(events).toMatchObject([{ type: 'store-warning', danger: 'owner' }])
    // The tables are there now, and are not the runtime role's to use until their owner says so.
    await expect(openMemory(database.url, { learn: false })).rejects.toMatchObject({ code: 'store/forbidden' })
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    await (await openMemory(database.url, { learn: false })).close()
  })

  it('[pg-16] a server that is away is a typed error in time, and the memory goes on when it is back', async () => {
    await using database = await databaseOn(server.url)
    await using memory = await openMemory(database.url, {
      learn: false,
      postgres: { ...database.postgres, waitMs: 300 },
    })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'before' })
    await server.crash()
    await expect(chat.append({ role: 'user', content: 'meanwhile' })).rejects.toMatchObject({
      code: 'store/unavailable',
    })
    await expect(chat.history()).rejects.toMatchObject({ code: 'store/unavailable' })
    await expect(openMemory(database.url, { postgres: { waitMs: 300 } })).rejects.toMatchObject({
      code: 'store/unavailable',
    })
    await server.start()
    await chat.append({ role: 'user', content: 'after' })
    expect(await chat.history()).toHaveLength(2)
  })
})

describe('a server that is slow', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it('[pg-16] gives a typed error when rows are held too long', async () => {
    await using memory = await openMemory(database.url, { learn: false, postgres: { waitMs: 300 } })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'x' })
    await withClient(database.admin, async (client) => {
      await client.query('BEGIN; SELECT 1 FROM daybook.sessions FOR UPDATE')
      await expect(chat.append({ role: 'user', content: 'y' })).rejects.toMatchObject({ code: 'store/busy' })
      expect(await chat.history()).toHaveLength(1)
      await client.query('ROLLBACK')
    })
    expect(await chat.append({ role: 'user', content: 'y' })).toMatchObject([{ seq: 2 }])
  })

  it('[pg-16] gives a typed error when a statement takes too long', async () => {
    await using memory = await openMemory(database.url, { learn: false, postgres: { statementMs: 200 } })
    const chat = memory.scope('a').session('slow')
    await chat.append({ role: 'user', content: 'x' })
    await withClient(database.admin, async (client) => {
      await client.query(`CREATE POLICY slow ON daybook.sessions AS RESTRICTIVE USING (pg_sleep(5) IS NOT NULL)`)
      await expect(chat.append({ role: 'user', content: 'y' })).rejects.toMatchObject({ code: 'store/timeout' })
      await expect(chat.history()).rejects.toMatchObject({ code: 'store/timeout' })
      await client.query('DROP POLICY slow ON daybook.sessions')
    })
    expect(await chat.history()).toHaveLength(1)
  })

  it('[pg-16] gives a typed error when all connections are in use', async () => {
    await using memory = await openMemory(database.url, { learn: false, postgres: { connections: 1, waitMs: 300 } })
    const chat = memory.scope('a').session('crowd')
    await chat.append({ role: 'user', content: 'x' })
    await withClient(database.admin, async (client) => {
      await client.query(`CREATE TABLE public.slow AS SELECT 1 AS one; GRANT SELECT ON public.slow TO PUBLIC;
        CREATE POLICY slow ON daybook.sessions AS RESTRICTIVE
          USING (NOT EXISTS (SELECT 1 FROM public.slow) OR pg_sleep(60) IS NOT NULL)`)
      const stuck = chat.history()
      stuck.catch(() => undefined)
      const sleeping = `FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`
      while ((await client.query(`SELECT 1 ${sleeping}`)).rowCount === 0) await setTimeout(10)
      for (const call of [() => chat.count(), () => chat.append({ role: 'user', content: 'y' })])
        await expect(call()).rejects.toMatchObject({ code: 'store/busy', details: { connections: 1, waitMs: 300 } })
      // Not by dropping the policy, which would wait for the one that sleeps.
      await client.query('DELETE FROM public.slow')
      await client.query(`SELECT pg_terminate_backend(pid) ${sleeping}`)
      await expect(stuck).rejects.toMatchObject({ code: 'store/unavailable' })
    })
    expect(await chat.append({ role: 'user', content: 'y' })).toMatchObject([{ seq: 2 }])
  })
})

async function reload(server: Server, change: string): Promise<void> {
  await withClient(server.url, async (client) => {
    await client.query(change)
    await client.query('SELECT pg_reload_conf()')
    // The server takes a moment to hear of it.
    const wanted = change.includes('RESET') ? 'on' : 'off'
    for (;;) {
      const { rows } = await withClient(server.url, (other) => other.query<{ fsync: string }>('SHOW fsync'))
      if (rows[0]?.fsync === wanted) return
      await setTimeout(20)
    }
  })
}
