import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { PostgresCommitSignal, notificationChannel } from '../../src/stores/postgres/commit-signal.ts'
import type { Pool } from '../../src/stores/postgres/pool.ts'
import type { Database } from '../../src/stores/sql/database.ts'
import { WatchedSessions } from '../../src/stores/sql/watched-sessions.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { figures, percentile } from '../fault/harness/figures.ts'
import { holdsAPageForASlowReader, wakesWhoHasSomethingToRead } from '../log/many-watchers.ts'
import { times } from '../tier.ts'
import { type TestDatabase, freshDatabase, withClient } from './database.ts'
import { startProxy } from './proxy.ts'

const MESSAGES = times({ daily: 60, nightly: 2_000 })
const CUTS = times({ daily: 3, nightly: 50 })
const BURST = 5

function open(database: TestDatabase): Promise<Memory> {
  return openMemory(database.url, { learn: false, postgres: database.postgres })
}

/** Follows a session and notes what came and when, until so many have come. */
async function follow(memory: Memory, count: number, onMessage: (seq: number) => void): Promise<readonly number[]> {
  const seen: number[] = []
  for await (const { seq } of memory.scope('a').session('s').watch({ after: 0 })) {
    seen.push(seq)
    onMessage(seq)
    if (seen.length === count) break
  }
  return seen
}

it('[pg-11] several processes append, others watch: nothing missed, nothing doubled, in the order of commits', async () => {
  await using database = await freshDatabase()
  // Memories of their own, with connections of their own: to the server they are other processes.
  await using first = await open(database)
  await using second = await open(database)
  await using watcher = await open(database)
  const answered = new Map<number, number>()
  const delays: number[] = []
  const watching = follow(watcher, 2 * MESSAGES, (seq) => {
    const at = answered.get(seq)
    if (at !== undefined) delays.push(performance.now() - at)
  })
  await Promise.all(
    [first, second].map(async (memory) => {
      for (let number = 0; number < MESSAGES; number++) {
        const [stored] = await memory
          .scope('a')
          .session('s')
          .append({ role: 'user', content: String(number) })
        answered.set(stored.seq, performance.now())
      }
    }),
  )
  expect(await watching).toEqual(Array.from({ length: 2 * MESSAGES }, (_, index) => index + 1))
  if (delays.length > 0) figures('watch', { 'ms behind the answer, p50': percentile(delays, 0.5) })
})

it('[pg-11] catches up from the log after its connection was lost, and goes on', async () => {
  await using database = await freshDatabase()
  await using writer = await open(database)
  await using watcher = await open(database)
  const half = Promise.withResolvers<void>()
  const watching = follow(watcher, MESSAGES, (seq) => {
    if (seq === Math.floor(MESSAGES / 2)) half.resolve()
  })
  const chat = writer.scope('a').session('s')
  for (let number = 0; number < MESSAGES / 2; number++) await chat.append({ role: 'user', content: String(number) })
  await half.promise
  // Whoever listens loses its connection, and misses what is told until it has another.
  await withClient(database.admin, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    ),
  )
  for (let number = 0; number < MESSAGES / 2; number++) await chat.append({ role: 'user', content: String(number) })
  expect(await watching).toEqual(Array.from({ length: MESSAGES }, (_, index) => index + 1))
})

it('[pg-11] misses and doubles nothing of what is committed while it is cut off, again and again', async () => {
  await using database = await freshDatabase()
  await using writer = await open(database)
  await using proxy = await startProxy(Number(new URL(database.url).port), () => 'pass')
  await using watcher = await openMemory(proxy.through(database.url), { learn: false, postgres: { waitMs: 60_000 } })
  const chat = writer.scope('a').session('s')
  const total = 3 * CUTS * BURST
  let seen = 0
  const watching = follow(watcher, total, (seq) => (seen = seq))
  const say = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number++) await chat.append({ role: 'user', content: String(number) })
  }
  for (let cut = 1; cut <= CUTS; cut++) {
    await say(BURST)
    // Now and then in the middle of what it reads, now and then when it has read all.
    while (cut % 2 === 0 && seen < (cut - 1) * 3 * BURST + BURST) await setTimeout(5)
    proxy.shut()
    await say(BURST)
    proxy.reopen()
    await say(BURST)
  }
  expect(await watching).toEqual(Array.from({ length: total }, (_, index) => index + 1))
})

it('[pg-11] ends when the memory is closed, and leaves no connection behind', async () => {
  await using database = await freshDatabase()
  const memory = await open(database)
  const seen = Promise.withResolvers<void>()
  const watching = follow(memory, 2, () => seen.resolve())
  await memory.scope('a').session('s').append({ role: 'user', content: 'x' })
  await seen.promise
  await memory.close()
  expect(await watching).toEqual([1])
  await withClient(database.admin, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'daybook'`,
      )
      if (rowCount === 0) break
      await setTimeout(20)
    }
  })
})

it('[pg-11] is told of commits whatever the schema is called, by a channel of its own', async () => {
  await using database = await freshDatabase()
  // As long as the server allows; they differ in what it would cut off from the name of a channel.
  const schemas = ['a', 'b'].map((end) => `${'s'.repeat(62)}${end}`)
  const channels = schemas.map(notificationChannel)
  expect(new Set(channels).size).toBe(2)
  expect(notificationChannel('daybook')).toBe('daybook_daybook')
  await withClient(database.admin, async (client) => {
    const heard: string[] = []
    client.on('notification', ({ channel }) => heard.push(channel))
    for (const channel of channels) await client.query(`LISTEN "${channel}"`)
    for (const schema of schemas) {
      const postgres = { ...database.postgres, schema }
      await using memory = await openMemory(database.url, { learn: false, postgres })
      await memory.scope('a').session('s').append({ role: 'user', content: 'x' })
    }
    for (const channel of channels) while (!heard.includes(channel)) await setTimeout(20)
    expect(heard).toEqual(channels)
  })
}, 60_000)

it('[pg-11] a commit that comes while others are told of the last one is told as well', async () => {
  // At every turn of the queue of promises: one of them is just after the last look and before the end.
  for (let turns = 0; turns < 10; turns++) {
    let told = 0
    const pool = {
      closed: false,
      options: { schema: 'daybook' },
      bare: async () => {
        if (++told === 1) void after(turns, () => signal.committed())
      },
    } as unknown as Pool
    const signal = new PostgresCommitSignal(pool, pool, new WatchedSessions({} as Database))
    signal.committed()
    await setTimeout(0)
    expect(told, `${turns} turns later`).toBe(2)
  }
})

async function after(turns: number, work: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await undefined
  work()
}

it('[pg-11] of many watches only those look at the log whose session has moved', async () => {
  await using database = await freshDatabase()
  await wakesWhoHasSomethingToRead(await openPostgresStore(database.url, database.postgres, Date.now, () => undefined))
})

it('[pg-11] a slow reader holds a page of the log, however much is appended, and then reads all', async () => {
  await using database = await freshDatabase()
  await holdsAPageForASlowReader(await openPostgresStore(database.url, database.postgres, Date.now, () => undefined))
})

it('[pg-11] many watches are told of what other processes append', async () => {
  await using database = await freshDatabase()
  await using writer = await open(database)
  await using watcher = await open(database)
  const sessions = Array.from({ length: 40 }, (_, index) => `s${index}`)
  const watching = sessions.map(async (session) => {
    const seqs: number[] = []
    for await (const { seq } of watcher.scope('a').session(session).watch({ after: 0 })) {
      seqs.push(seq)
      if (seqs.length === 5) break
    }
    return seqs
  })
  for (let round = 0; round < 5; round++)
    for (const session of sessions) await writer.scope('a').session(session).append({ role: 'user', content: 'x' })
  for (const seqs of await Promise.all(watching)) expect(seqs).toEqual([1, 2, 3, 4, 5])
})
