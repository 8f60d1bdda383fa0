import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type TestDatabase, databaseOn, withClient } from './database.ts'
import { type Server, serverBinaries, startServer } from './server.ts'

/** A standby needs a real server: without one there is nothing to test. */
const hasServer = serverBinaries() !== undefined

let primary: Server
let standby: Server
let database: TestDatabase
beforeAll(async () => {
  if (!hasServer) return
  primary = await startServer()
  database = await databaseOn(primary.url)
  standby = await primary.standby()
}, 120_000)
afterAll(async () => {
  await standby?.stop()
  await primary?.stop()
})

function replicaOf(url: string): string {
  const address = new URL(url)
  address.port = String(standby.port)
  return address.href
}

const open = (): Promise<Memory> =>
  openMemory(database.url, {
    learn: false,
    postgres: { ...database.postgres, replica: replicaOf(database.url) },
  })

async function caughtUp(): Promise<void> {
  const [row] = await withClient(primary.url, async (client) => {
    return (await client.query<{ at: string }>('SELECT pg_current_wal_lsn()::text AS at')).rows
  })
  await withClient(standby.url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ there: boolean }>(
        'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS there',
        [row?.at],
      )
      if (rows[0]?.there === true) return
      await setTimeout(20)
    }
  })
}

it.runIf(hasServer)('[pg-13] reads that may be stale come from the replica, decisions never', async () => {
  await using memory = await open()
  const ada = memory.scope('acme/ada')
  const chat = ada.session('s')
  await chat.append({ role: 'user', id: 'first', content: 'The order is late.' })
  await ada.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
  await ada.recall('late order')
  await caughtUp()
  await withClient(standby.url, (client) => client.query('SELECT pg_wal_replay_pause()'))
  // Also when the test fails: the next one would wait for a standby that never catches up.
  await using _resumed = {
    [Symbol.asyncDispose]: async () => {
      await withClient(standby.url, (client) => client.query('SELECT pg_wal_replay_resume()'))
    },
  }

  // From here on the standby sees nothing new.
  await chat.append({ role: 'user', id: 'second', content: 'The order is still late.' }, { after: 1 })
  await ada.remember({ subject: 'Ada', predicate: 'likes', object: 'coffee' })
  const ids = (messages: readonly { readonly id: string }[]): readonly string[] => messages.map(({ id }) => id)
  expect(ids(await chat.history({ stale: true }))).toEqual(['first'])
  expect(ids(await chat.search('late', { stale: true }))).toEqual(['first'])
  expect((await ada.facts({ stale: true })).map(({ object }) => object)).toEqual(['tea'])
  expect(
    (await ada.recall('late order', { stale: true, kinds: ['message'] })).items.map(({ source }) => source.id),
  ).toEqual(['first'])

  // Whoever did not say so gets the newest.
  expect(ids(await chat.history())).toEqual(['first', 'second'])
  expect(ids(await chat.search('late', { stale: false }))).toEqual(['first', 'second'])
  expect((await ada.facts()).map(({ object }) => object)).toEqual(['coffee', 'tea'])
  const { items } = await ada.recall('late order', { kinds: ['message'] })
  expect(items.map(({ source }) => source.id).toSorted()).toEqual(['first', 'second'])

  // Decisions: sequence, condition, idempotence, window, compaction, undo, fork, facts that close others, state, jobs.
  const [third] = await chat.append(
    { role: 'assistant', id: 'third', content: 'I know.' },
    { after: 2, operationId: 'o' },
  )
  expect(third.seq).toBe(3)
  expect(await chat.append({ role: 'assistant', id: 'third', content: 'I know.' }, { operationId: 'o' })).toMatchObject(
    [{ seq: 3 }],
  )
  await expect(chat.append({ role: 'user', content: 'x' }, { after: 1 })).rejects.toMatchObject({
    code: 'log/conflict',
  })
  const context = await chat.context({ budget: 4_000, recall: { query: 'late order' } })
  expect(ids(context.messages as readonly { readonly id: string }[])).toEqual(
    expect.arrayContaining(['first', 'second', 'third']),
  )
  await chat.revise('second', { content: 'Never mind.' })
  expect(await chat.get('second')).toMatchObject({ revision: 1 })
  const long = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${index % 2 === 0 ? 'Question' : 'Answer'} ${index} `.repeat(60),
  }))
  await chat.append(long)
  const outcome = await chat.compact({ force: true })
  expect(outcome.type).toBe('compacted')
  expect(await chat.undo()).toHaveLength(1)
  expect((await chat.fork('other')).id).toBe('other')
  await ada.predicate('lives in', { single: true })
  await ada.remember({ subject: 'Ada', predicate: 'lives in', object: 'Lund' })
  expect(await ada.remember({ subject: 'Ada', predicate: 'lives in', object: 'Malmö' })).toMatchObject([
    { outcome: expect.anything() as unknown },
  ])
  expect((await ada.facts({ predicate: 'lives in' })).map(({ object }) => object)).toEqual(['Malmö'])
  await chat.state.set('mood', 'calm')
  expect(await chat.state.get('mood')).toBe('calm')
  expect(ids(await chat.history({ stale: true }))).toEqual(['first'])

  await withClient(standby.url, (client) => client.query('SELECT pg_wal_replay_resume()'))
  await caughtUp()
  expect(await chat.history({ stale: true })).toHaveLength(43)
})

it.runIf(hasServer)('[pg-13] a replica that is away fails the reads that asked for it, and nothing else', async () => {
  await using memory = await openMemory(database.url, {
    learn: false,
    postgres: { ...database.postgres, replica: 'postgres://nobody@127.0.0.1:1/none', waitMs: 500 },
  })
  const chat = memory.scope('acme/bob').session('s')
  await chat.append({ role: 'user', content: 'Hello' })
  await expect(chat.history({ stale: true })).rejects.toMatchObject({ code: 'store/unavailable' })
  expect(await chat.history()).toHaveLength(1)
})

it.runIf(hasServer)(
  '[pg-9] [pg-15] a replica is not read with a role that row security does not hold for',
  async () => {
    await caughtUp()
    const postgres = { ...database.postgres, replica: replicaOf(database.admin) }
    await using memory = await openMemory(database.url, { learn: false, postgres })
    const chat = memory.scope('acme/ada').session('s')
    await expect(chat.history({ stale: true })).rejects.toMatchObject({
      code: 'store/unsafe',
      details: { dangers: ['superuser'] },
    })
    await chat.history()
  },
)
