import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { RecallOptions } from '../../src/api/recall.ts'
import { figures } from '../fault/harness/figures.ts'
import { type TestDatabase, freshDatabase } from './database.ts'
import { countTrip, tapQueries } from './tap-queries.ts'

/** What goes over the wire. */
interface Traffic {
  transactions: number
  /** Those of them that may write. */
  writes: number
  statements: number
  roundTrips: number
}

/** Counts what the driver is given while something is done. What opens and ends a transaction travels with the rest. */
async function trafficOf(work: () => Promise<unknown>): Promise<Traffic> {
  const traffic: Traffic = { transactions: 0, writes: 0, statements: 0, roundTrips: 0 }
  await tapQueries(work, (asked, _client, answer) => {
    if (typeof asked === 'string') {
      if (asked.startsWith('BEGIN')) traffic.transactions += 1
      if (asked.startsWith('BEGIN') && !asked.endsWith('READ ONLY')) traffic.writes += 1
    } else if (!asked.text.includes('daybook.visible_scopes')) {
      traffic.statements += 1
      countTrip(traffic, answer)
    }
  })
  return traffic
}

const SESSIONS = 24
const names = ['Ada', 'Bob', 'Carol'] as const
const things = ['order 7731', 'the invoice', 'a telephone', 'the garden', 'two tickets', 'an umbrella', 'the report']

describe('[pg-23] a recall on PostgreSQL', () => {
  let database: TestDatabase
  let memory: Memory
  let time = Date.parse('2026-01-01T00:00:00Z')
  beforeAll(async () => {
    database = await freshDatabase()
    memory = await openMemory(database.url, {
      learn: false,
      clock: { now: () => time },
      postgres: database.postgres,
    })
    for (const scope of ['acme', 'acme/ada'])
      for (let session = 0; session < SESSIONS; session++)
        await memory
          .scope(scope)
          .session(`s${session}`)
          .append(
            Array.from({ length: 8 }, (_, index) => ({
              role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
              name: names[index % 3] ?? '',
              content: `${things[(index * 3 + session) % 7]} and ${things[(index + session) % 7]}, said ${scope} ${session * 8 + index}`,
            })),
          )
    await memory.scope('acme/ada').session('s3').fork('fork', { at: 5 })
    await memory.scope('acme/ada').session('fork').append({ role: 'user', content: 'the umbrella is forked' })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await memory?.close()
    await database?.[Symbol.asyncDispose]()
  })

  async function asked(question: string, options: RecallOptions = {}): Promise<Traffic & { readonly items: number }> {
    const scope = memory.scope('acme/ada')
    await scope.recall(question, options)
    let items = 0
    const traffic = await trafficOf(async () => {
      const found = await scope.recall(question, options)
      items = found.items.length
    })
    return { ...traffic, items }
  }

  it('posts what is new of many sessions with a few statements, in a few transactions', async () => {
    const scope = memory.scope('fresh')
    for (let session = 0; session < SESSIONS * 2; session++)
      await scope
        .session(`s${session}`)
        .append(Array.from({ length: 8 }, (_, index) => ({ role: 'user' as const, content: `${things[index % 7]}` })))
    await memory.settled()
    await memory.rebuild()
    const { writes, statements } = await trafficOf(() => scope.recall('zebra'))
    // The messages; the shelf of the facts, and where they stand.
    expect(writes).toBeLessThanOrEqual(3)
    // The messages of each session and their changes; the rest is shared.
    expect(statements).toBeLessThan(SESSIONS * 2 * 3 + 60)
    expect((await scope.recall('umbrella')).items.length).toBeGreaterThan(0)
  })

  it('goes to the server a few times, however many messages it shows, of however many sessions', async () => {
    for (const limit of [1, 10, 40]) {
      const { items, transactions, statements, roundTrips } = await asked('Who has the umbrella and order 7731?', {
        limit,
      })
      expect(items).toBe(limit)
      expect(roundTrips).toBeLessThanOrEqual(10)
      expect(transactions).toBeLessThanOrEqual(10)
      expect(statements).toBeLessThanOrEqual(20)
    }
  })

  it('also to say what was left out, and to show neighbours', async () => {
    for (const options of [{ explain: true }, { neighbours: true }, { since: '2020-01-01' }]) {
      const { items, roundTrips } = await asked('Who has the umbrella and order 7731?', options)
      expect(items).toBe(10)
      // For an explanation, sessions are listed too: some may have messages that were removed.
      expect(roundTrips).toBeLessThanOrEqual('explain' in options ? 14 : 12)
    }
  })

  it('also as of a moment, however many sessions have changed since', async () => {
    const chats = Array.from({ length: SESSIONS }, (_, index) => memory.scope('acme/ada').session(`s${index}`))
    await Promise.all(chats.map((chat) => chat.append({ role: 'user', content: 'the umbrella, again' })))
    const asOf = new Date(time)
    time += 60_000
    for (const chat of chats) {
      const [first, second] = await chat.history({ limit: 2 })
      await chat.revise(first?.id ?? '', { content: 'nothing of the kind' })
      await chat.remove(second?.id ?? '')
      await chat.append({ role: 'user', content: 'order 7731 is later than that' })
    }
    await memory.scope('acme/ada').session('s5').clear()
    const { items, roundTrips, transactions, statements } = await asked('Who has the umbrella and order 7731?', {
      asOf,
    })
    expect(items).toBe(10)
    figures('as of a moment', { 'round trips': roundTrips, transactions, statements })
    expect(roundTrips).toBeLessThanOrEqual(24)
    expect(transactions).toBeLessThanOrEqual(20)
  })

  it('within a budget, which everything has to be read for, many at a time', async () => {
    const { items, roundTrips } = await asked('Who has the umbrella and order 7731?', { budget: 400 })
    expect(items).toBeGreaterThan(3)
    expect(roundTrips).toBeLessThanOrEqual(10 + 2 * Math.ceil((SESSIONS * 2 * 8) / 64))
  })

  it('asks for facts together too', async () => {
    for (const [index, thing] of things.entries())
      for (const name of names)
        await memory
          .scope('acme/ada')
          .remember({ subject: name, predicate: index % 2 === 0 ? 'has' : 'lives in', object: thing })
    const { items, statements, roundTrips } = await asked('Where do Ada, Bob and Carol live?', { kinds: ['fact'] })
    expect(items).toBeGreaterThan(3)
    expect(roundTrips).toBeLessThanOrEqual(24)
    expect(statements).toBeLessThanOrEqual(36)
  })

  it('posts nothing and asks twice where there is nothing to find', async () => {
    const { items, roundTrips } = await asked('zzz')
    expect(items).toBe(0)
    expect(roundTrips).toBeLessThanOrEqual(4)
  })
})
