import { type AddressInfo, type Socket, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MemoryEvent } from '../../src/api/events.ts'
import { MemoryError } from '../../src/domain/error.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { ChangeQueue } from '../../src/stores/postgres/change-queue.ts'
import { fromPostgres } from '../../src/stores/postgres/errors.ts'
import { HeadCache } from '../../src/stores/sql/head-cache.ts'
import { refuseUnfit } from '../../src/stores/postgres/check-server.ts'
import { poolOptions } from '../../src/stores/postgres/options.ts'
import { Pool } from '../../src/stores/postgres/pool.ts'
import { daybook } from '../cli/harness.ts'
import { type TestDatabase, databaseOn, freshDatabase, withClient } from './database.ts'
import { type Server, freePort, serverBinaries, startServer } from './server.ts'

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

  it('[pg-10] [pg-15] a role that may become another has what that one has', async () => {
    await using database = await databaseOn(server.url)
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    const as = (role: string): string => {
      const other = new URL(database.url)
      other.username = role
      return other.href
    }
    await withClient(server.url, (client) =>
      client.query(`CREATE ROLE guard BYPASSRLS; CREATE ROLE member LOGIN NOINHERIT PASSWORD 'x' IN ROLE guard;
        CREATE ROLE heir LOGIN PASSWORD 'x' IN ROLE daybook_test_owner`),
    )
    await expect(openMemory(as('member'), { learn: false, postgres: database.postgres })).rejects.toMatchObject({
      code: 'store/unsafe',
      details: { dangers: ['bypass-row-security'] },
    })
    const events: MemoryEvent[] = []
    const onEvent = (event: MemoryEvent): void => void events.push(event)
    await (await openMemory(as('heir'), { learn: false, postgres: database.postgres, onEvent })).close()
    expect(events).toMatchObject([{ type: 'store-warning', danger: 'owner' }])
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

  it('[anywhere-25] what is wrong with an address, a password, a database or a right is named, with its remedy', async () => {
    await using database = await databaseOn(server.url)
    const reason = async (change: (url: URL) => void): Promise<string> => {
      const url = new URL(database.url)
      change(url)
      const error: unknown = await openMemory(url.href, { learn: false, postgres: { waitMs: 2_000 } }).catch(
        (thrown: unknown) => thrown,
      )
      return MemoryError.is(error) ? error.message : 'no MemoryError'
    }
    const port = String(await freePort())
    const listening = await reason((url) => void (url.port = port))
    expect(listening).toContain(`no server is listening at 127.0.0.1:${port}`)
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), {
      code: 'ENOTFOUND',
      hostname: 'nowhere',
    })
    expect(fromPostgres('open', unknown).message).toContain('the host "nowhere" was not found; correct the host')
    const nameless = await reason((url) => void (url.pathname = '/nope'))
    expect(nameless).toMatch(/has no such database; create it.*"nope"/)
    const stranger = await reason((url) => void (url.username = 'stranger'))
    expect(stranger).toMatch(/does not accept this role.*"stranger"/)
    expect(await reason(() => undefined)).toMatch(
      /may not create them \(permission denied.*postgres\.migrate.*GRANT CREATE ON DATABASE/,
    )
  })

  it('[pg-16] [anywhere-42] daybook migrate makes the tables as their owner, and gives the rights to the role of the program', async () => {
    await using database = await databaseOn(server.url)
    const owner = database.postgres.migrate ?? ''
    await (await openMemory(owner)).close()
    const refused = await openMemory(database.url).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'store/forbidden',
      message: expect.stringMatching(
        /may not use the tables that are there.*daybook migrate --memory .* --owner/,
      ) as string,
    })
    const migrated = await daybook(['migrate', '--memory', database.url, '--owner', owner])
    expect(migrated).toMatchObject({ status: 0, stderr: '' })
    await using memory = await openMemory(database.url)
    await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
  })

  it('[pg-16] a server that is away is a typed error in time, and the memory goes on when it is back', async () => {
    await using database = await databaseOn(server.url)
    await using memory = await openMemory(database.url, {
      learn: false,
      postgres: { ...database.postgres, waitMs: 2_000 },
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

it('[pg-16] a server that is away is told to all who wait at once, not to one batch after the other', async () => {
  const CALLS = 2_000
  const tries = vi.fn<() => Promise<never>>(async () => {
    throw new MemoryError('store/unavailable', 'Cannot write to session "of others": the server cannot be reached', {})
  })
  const queue = new ChangeQueue(
    { database: { write: tries }, limits: { waitMs: 0, lockMs: 0 } },
    new HeadCache(),
    () => undefined,
  )
  const change = {
    scope: 'a',
    session: 's',
    questions: { ids: [], callIds: [], blobs: [] },
    decide: () => ({ answer: 1 }),
  }
  const asked = await Promise.allSettled(Array.from({ length: CALLS }, () => queue.add(change)))
  expect(asked.every((one) => one.status === 'rejected' && MemoryError.is(one.reason, 'store/unavailable'))).toBe(true)
  expect(tries).toHaveBeenCalledTimes(1)
  expect(asked.at(-1)).toMatchObject({ reason: { message: expect.stringMatching(/^Cannot write to session "s": /) } })
})

describe('a server that is slow', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it('[pg-16] gives a typed error when rows are held too long', async () => {
    await using memory = await openMemory(database.url, { learn: false, postgres: { waitMs: 2_000 } })
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

  it('[pg-16] rows that are held too long fail nobody but who wants them', async () => {
    await using memory = await openMemory(database.url, { learn: false, postgres: { waitMs: 2_000 } })
    const scope = memory.scope('held')
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) await scope.session(name).append({ role: 'user', content: 'x' })
    await withClient(database.admin, async (client) => {
      await client.query(
        `BEGIN; SELECT 1 FROM daybook.sessions WHERE scope = 'held' AND name IN ('one', 'three') FOR UPDATE`,
      )
      // Written together, and twice to each.
      const asked = [...names, ...names].map((name) => scope.session(name).append({ role: 'user', content: 'y' }))
      const outcomes = (await Promise.allSettled(asked)).map((one) =>
        one.status === 'fulfilled' ? one.value[0]?.seq : (one.reason as { code: string }).code,
      )
      expect(outcomes).toEqual(['store/busy', 2, 'store/busy', 2, 'store/busy', 3, 'store/busy', 3])
      await client.query('ROLLBACK')
    })
    expect(await scope.session('one').append({ role: 'user', content: 'y' })).toMatchObject([{ seq: 2 }])
  })

  it('[pg-16] gives a typed error when a statement takes too long', async () => {
    await using memory = await openMemory(database.url, { learn: false, postgres: { statementMs: 1_500 } })
    const chat = memory.scope('a').session('slow')
    await chat.append({ role: 'user', content: 'x' })
    await withClient(database.admin, async (client) => {
      await client.query(`CREATE POLICY slow ON daybook.sessions AS RESTRICTIVE USING (pg_sleep(60) IS NOT NULL)`)
      await expect(chat.append({ role: 'user', content: 'y' })).rejects.toMatchObject({ code: 'store/timeout' })
      await expect(chat.history()).rejects.toMatchObject({ code: 'store/timeout' })
      await client.query('DROP POLICY slow ON daybook.sessions')
    })
    expect(await chat.history()).toHaveLength(1)
  })

  it('[pg-16] who waits for a connection hears at once that the memory was closed', { timeout: 120_000 }, async () => {
    const pool = await Pool.open(database.url, poolOptions({ connections: 1, waitMs: 3_600_000 }))
    const held = await pool.take('hold the only connection')
    const waiting = pool.using('ask', (link) => link.say('SELECT 1'))
    const closed = pool.close()
    await expect(waiting).rejects.toMatchObject({ code: 'store/closed' })
    held.release(false)
    await closed
    await expect(pool.take('ask')).rejects.toMatchObject({ code: 'store/closed' })
  })

  it('[pg-16] a server that does not answer is away, also for those who wait for a connection to it', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const pool = await Pool.open(`postgres://app@127.0.0.1:${port}/x`, poolOptions({ connections: 1, waitMs: 300 }))
    try {
      const asked = await Promise.allSettled([1, 2, 3].map(() => pool.using('ask', (link) => link.say('SELECT 1'))))
      const away = { status: 'rejected', reason: { code: 'store/unavailable' } }
      expect(asked).toMatchObject([away, away, away])
    } finally {
      await pool.close()
      for (const socket of sockets) socket.destroy()
      silent.close()
    }
  })

  it('[pg-16] gives a typed error when all connections are in use', async () => {
    const pool = await Pool.open(database.url, poolOptions({ connections: 1, waitMs: 300 }))
    try {
      const held = await pool.take('hold the only connection')
      const asked = pool.using('ask', (link) => link.say('SELECT 1'))
      await expect(asked).rejects.toMatchObject({ code: 'store/busy', details: { connections: 1, waitMs: 300 } })
      held.release(false)
      expect(await pool.using('ask', (link) => link.say('SELECT 1'))).toBe('SELECT')
    } finally {
      await pool.close()
    }
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
