import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../src/domain/message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { warm } from '../fault/harness/child.ts'
import { figures, percentile } from '../fault/harness/figures.ts'
import { seeded } from '../fault/harness/seeded.ts'
import { textOfMessage } from '../fault/harness/text.ts'
import { times } from '../tier.ts'
import { type TestDatabase, databaseOn, freshDatabase, withClient } from './database.ts'
import { startProxy } from './proxy.ts'
import { type Server, serverBinaries, startServer } from './server.ts'
import { WRITER, Writers, compare, counts } from './writers.ts'

const PROCESSES = times({ daily: 2, nightly: 8 })
const SESSIONS = times({ daily: 8, nightly: 64 })
const KILLS = times({ daily: 2, nightly: 20 })
const CUT_SHARE = 0.02
/** As it travels: a transaction also begins with a word that has it inside. */
const COMMIT = 'COMMIT\0'
const timeout = times({ daily: 3, nightly: 60 }) * 60_000

describe.skipIf(serverBinaries() === undefined)('a server that is killed and a network that cuts', () => {
  let server: Server
  beforeAll(async () => {
    await warm(WRITER)
    server = await startServer()
  })
  afterAll(() => server?.stop())

  it('[pg-4] [pg-5] [pg-20] lose nothing and double nothing, and leave no gap', { timeout }, async () => {
    const random = seeded()
    await using database = await databaseOn(server.url)
    // The tables first: what is tested is writing, and eight processes that make them at once are tested elsewhere.
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    await using proxy = await startProxy(server.port, (piece) =>
      random.chance(CUT_SHARE) ? { cutAfter: random.below(piece.length) } : 'pass',
    )
    await using writers = await Writers.start({
      processes: PROCESSES,
      sessions: SESSIONS,
      url: proxy.through(database.url),
      postgres: { waitMs: 120_000, connections: 4 },
    })
    const moments: { readonly killedAt: number; readonly readyAt: number }[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      await writers.progress(20 + random.below(200))
      const killedAt = Date.now()
      await server.crash()
      await server.start()
      moments.push({ killedAt, readyAt: Date.now() })
    }
    await writers.progress(100)
    await writers.stop()

    const report = await compare(database.url, writers.lines)
    const recoveries = moments.flatMap(({ readyAt }) => writers.recovery(readyAt))
    figures(`${PROCESSES} processes × ${SESSIONS} sessions`, {
      kills: KILLS,
      cuts: proxy.cuts(),
      acknowledged: writers.lines.length,
      'a process writes again, ms after the server is up, p50': percentile(recoveries, 0.5),
      'ms max': Math.max(...recoveries),
      'ms after the kill, p50': percentile(
        moments.map(({ killedAt }) => Math.min(...writers.recovery(killedAt))),
        0.5,
      ),
      ...counts(report),
    })
    expect(report).toEqual({ lost: [], doubled: [], disordered: [], denied: [], failed: [] })
    expect(proxy.cuts()).toBeGreaterThan(0)
  })
})

describe('a commit whose answer is lost', () => {
  it('[pg-5] is looked up when the server can be asked again: stored once, answered once', async () => {
    await using database = await freshDatabase()
    let cutting = false
    await using proxy = await startProxy(portOf(database), (piece, from) => {
      if (!cutting || from !== 'client' || !piece.includes(COMMIT)) return 'pass'
      cutting = false
      return { cutAfter: piece.length }
    })
    await using memory = await openMemory(proxy.through(database.url), { learn: false, postgres: database.postgres })
    const chat = memory.scope('a').session('s')
    for (let round = 0; round < 5; round++) {
      cutting = true
      expect(await chat.append({ role: 'user', content: `message ${round}` })).toMatchObject([{ seq: round + 1 }])
      expect(cutting).toBe(false)
    }
    expect(proxy.cuts()).toBe(5)
    expect((await chat.history()).map(textOfMessage)).toEqual(Array.from({ length: 5 }, (_, i) => `message ${i}`))
  })

  it('[pg-5] that never reached the server runs again', async () => {
    await using database = await freshDatabase()
    let cutting = false
    await using proxy = await startProxy(portOf(database), (piece, from) => {
      if (!cutting || from !== 'client' || !piece.includes(COMMIT)) return 'pass'
      cutting = false
      return { cutAfter: piece.indexOf(COMMIT) }
    })
    await using memory = await openMemory(proxy.through(database.url), { learn: false, postgres: database.postgres })
    const chat = memory.scope('a').session('s')
    for (let round = 0; round < 5; round++) {
      cutting = true
      expect(await chat.append({ role: 'user', content: `message ${round}` })).toMatchObject([{ seq: round + 1 }])
    }
    expect(proxy.cuts()).toBe(5)
    expect(await chat.history()).toHaveLength(5)
  })

  it('[pg-5] [pg-16] is said to be unknown when nobody can be asked in time, never guessed', async () => {
    await using database = await freshDatabase()
    let cutting = false
    await using proxy = await startProxy(portOf(database), (piece, from) => {
      // The first write is followed by a transaction of its own that removes old marks.
      if (!cutting || from !== 'client' || !piece.includes(COMMIT) || !piece.includes('second')) return 'pass'
      // From here on the server is out of reach.
      queueMicrotask(() => proxy.shut())
      return { cutAfter: piece.length }
    })
    const postgres = { ...database.postgres, waitMs: 2_000 }
    await using memory = await openMemory(proxy.through(database.url), { learn: false, postgres })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'first', id: 'm1' })
    cutting = true
    const append = (): Promise<readonly Message[]> =>
      chat.append({ role: 'user', content: 'second', id: 'm2' }, { operationId: 'once' })
    await expect(append()).rejects.toMatchObject({ code: 'store/unknown' })
    await expect(chat.history()).rejects.toMatchObject({ code: 'store/unavailable' })
    cutting = false
    proxy.reopen()
    expect(await append()).toMatchObject([{ id: 'm2', seq: 2 }])
    expect(await chat.history()).toHaveLength(2)
  })
})

describe('a transaction that the server ends because of others', () => {
  it('[pg-5] [pg-16] runs again for a bounded time, then says so; nothing of it is stored', async () => {
    await using database = await freshDatabase()
    const postgres = { ...database.postgres, waitMs: 2_000 }
    await using memory = await openMemory(database.url, { learn: false, postgres })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'first' })
    await withClient(database.admin, async (client) => {
      // Numbers of a sequence are not given back with a transaction: they count the attempts.
      await client.query(`CREATE SEQUENCE public.attempts; GRANT USAGE ON SEQUENCE public.attempts TO PUBLIC;
        CREATE TABLE public.refusals (max BIGINT); INSERT INTO public.refusals VALUES (3);
        GRANT SELECT ON public.refusals TO PUBLIC;
        CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('public.attempts') <= (SELECT max FROM public.refusals) THEN
            RAISE EXCEPTION 'could not serialize' USING ERRCODE = '40001'; END IF;
          RETURN NEW; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON daybook.messages FOR EACH ROW EXECUTE FUNCTION public.refuse()`)
      expect(await chat.append({ role: 'user', content: 'second' })).toMatchObject([{ seq: 2 }])
      expect((await client.query<{ n: string }>('SELECT last_value AS n FROM public.attempts')).rows[0]?.n).toBe('4')
      await client.query('UPDATE public.refusals SET max = 1000000')
      await expect(chat.append({ role: 'user', content: 'third' })).rejects.toMatchObject({ code: 'store/busy' })
      await client.query('UPDATE public.refusals SET max = 0')
    })
    expect(await chat.append({ role: 'user', content: 'third' })).toMatchObject([{ seq: 3 }])
    expect((await chat.history()).map(textOfMessage)).toEqual(['first', 'second', 'third'])
  })

  it('[pg-4] [pg-5] because two wait for each other in a circle: both are done', async () => {
    await using database = await freshDatabase()
    await using first = await openMemory(database.url, { learn: false, postgres: database.postgres })
    await using second = await openMemory(database.url, { learn: false, postgres: database.postgres })
    // New sessions, made by both at once in opposite orders.
    for (let round = 0; round < times({ daily: 10, nightly: 200 }); round++) {
      const names = Array.from({ length: 6 }, (_, index) => `round ${round}, ${index}`)
      const write = (memory: Memory, order: readonly string[]): Promise<readonly (readonly Message[])[]> =>
        Promise.all(order.map((name) => memory.scope('a').session(name).append({ role: 'user', content: name })))
      await Promise.all([write(first, names), write(second, names.toReversed())])
      for (const name of names) expect(await first.scope('a').session(name).count()).toBe(2)
    }
    expect(await first.verify()).toMatchObject({ ok: true })
  })
})

function portOf({ url }: TestDatabase): number {
  return Number(new URL(url).port)
}
