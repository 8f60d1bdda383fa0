import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import type { Session } from '../../src/api/session.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type TestDatabase, freshDatabase } from './database.ts'
import { tapQueries } from './tap-queries.ts'

/** How many transactions begin while something is done: those that only read, and the others. */
async function transactionsOf(
  work: () => Promise<unknown>,
): Promise<{ readonly reads: number; readonly writes: number }> {
  const begun: string[] = []
  await tapQueries(work, (asked) => {
    if (typeof asked === 'string' && asked.startsWith('BEGIN')) begun.push(asked)
  })
  const reads = begun.filter((text) => text.endsWith('READ ONLY')).length
  return { reads, writes: begun.length - reads }
}

const TRIES_MAX = 4

/**
 * The same of a call that can be repeated, the least of a few tries: a transaction ends when nothing is asked for within two turns of
 * the event loop, and on a busy machine that may happen between two reads.
 */
async function leastTransactionsOf(work: () => Promise<unknown>): ReturnType<typeof transactionsOf> {
  let least = await transactionsOf(work)
  for (let tried = 1; tried < TRIES_MAX && least.reads > 1; tried++) least = await transactionsOf(work)
  return least
}

describe('[surface-71] reads of one piece of work on PostgreSQL', () => {
  let database: TestDatabase
  let memory: Memory
  const known = { message: '', fold: '', fact: '' }
  const scope = (): Scope => memory.scope('acme/ada')
  const session = (): Session => scope().session('long')

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    history: () => session().history(),
    'a part of history': () => session().history({ text: 'order', after: 3, limit: 5 }),
    'history as of': () => session().history({ asOf: { version: 9 } }),
    recent: () => session().recent(3),
    byRole: () => session().byRole('user', 2),
    search: () => session().search('order'),
    get: async () => session().get(known.message),
    count: () => session().count(),
    'count as of': () => session().count({ asOf: { version: 9 } }),
    stats: () => session().stats(),
    window: () => session().window(),
    compactions: () => session().compactions(),
    reopen: () => session().reopen(known.fold),
    document: () => session().document(),
    'state.get': () => session().state.get('plan'),
    'state.snapshot': () => session().state.snapshot(),
    'tasks.list': () => session().state.tasks.list(),
    sessions: () => scope().sessions(),
    'sessions by text': () => scope().sessions({ text: 's' }),
    facts: () => scope().facts(),
    'facts of a subject': () => scope().facts({ subject: 'Ada', includeClosed: true }),
    fact: () => scope().fact(known.fact),
    factHistory: () => scope().factHistory(known.fact),
    graph: () => scope().graph({ around: 'Ada', depth: 3 }),
    path: () => scope().path('Ada', 'Paris'),
    entities: () => scope().entities(),
    entity: () => scope().entity('Ada'),
    predicates: () => scope().predicates(),
    proposals: () => scope().proposals(),
    retention: () => scope().retention.get(),
    recall: () => scope().recall('Where is the order?'),
    'a context': () => session().context({ budget: 4_000 }),
  }

  beforeAll(async () => {
    database = await freshDatabase()
    await using writer = await openMemory(database.url, { learn: false, postgres: database.postgres })
    const chat = writer.scope('acme').session('s')
    for (let turn = 0; turn < 20; turn++)
      await chat.append([
        { role: 'user', content: `Where is order ${7_000 + turn}?` },
        { role: 'assistant', content: 'On its way.' },
      ])
    const ada = writer.scope('acme/ada')
    const long = ada.session('long')
    for (let turn = 0; turn < 30; turn++)
      await long.append([
        { role: 'user', content: `Where is order ${7_000 + turn}? It was sent to Paris.` },
        { role: 'assistant', content: 'On its way, says the carrier in its last mail.' },
      ])
    known.message = (await long.recent(1))[0]?.id ?? ''
    await long.compact({ policy: 'rolling', force: true })
    known.fold = (await long.window()).flatMap((entry) => ('standIn' in entry ? [entry.id] : []))[0] ?? ''
    const [fact] = await ada.remember([
      { subject: 'Ada', predicate: 'lives in', object: { entity: 'Paris' } },
      { subject: 'Ada', predicate: 'likes', object: 'tea' },
    ])
    known.fact = fact?.id ?? ''
    await writer.settled()
    await chat.state.set('plan', { goal: 'Find the order', steps: [{ title: 'Look', state: 'todo' }] })
  })
  beforeAll(async () => {
    memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
  })
  afterAll(async () => {
    await memory?.close()
    await database?.[Symbol.asyncDispose]()
  })

  it('share one transaction in a context, also in the first one of a session', async () => {
    // Modules and tokenizers are loaded by the first context of a process, and reads do not wait for that in a transaction.
    await memory.scope('acme').session('another').context({ budget: 4_000, model: 'gpt-5' })
    const chat = memory.scope('acme').session('s')
    await memory.settled()
    expect(await transactionsOf(() => chat.context({ budget: 4_000, model: 'gpt-5' }))).toEqual({ reads: 1, writes: 0 })
    expect(await transactionsOf(() => chat.context({ budget: 4_000, model: 'gpt-5' }))).toEqual({ reads: 1, writes: 0 })
  })

  it('share one transaction in every call that reads', async () => {
    // The first of each loads its modules, and learns what the schema has.
    for (const read of Object.values(calls)) await read()
    await memory.settled()
    const counted: Record<string, unknown> = {}
    for (const [name, read] of Object.entries(calls)) counted[name] = await leastTransactionsOf(read)
    expect(counted).toEqual(Object.fromEntries(Object.keys(calls).map((name) => [name, { reads: 1, writes: 0 }])))
  })

  it('share one transaction in a call that reads what it then changes in another', async () => {
    const chat = scope().session('described')
    await chat.append({ role: 'user', content: 'Hello', id: 'hello' })
    const change = { reads: 1, writes: 1 }
    expect(await leastTransactionsOf(() => chat.describe('You are kind.'))).toEqual(change)
    expect(await leastTransactionsOf(() => chat.revise('hello', { content: 'Good morning' }))).toEqual(change)
  })

  it('see what the same work wrote before them', async () => {
    const chat = memory.scope('acme').session('s')
    const before = await chat.context({ budget: 600 })
    const { reads, writes } = await transactionsOf(() => chat.context({ budget: 500, shrink: true }))
    expect(reads).toBeLessThanOrEqual(1 + writes)
    expect((await chat.context({ budget: 600 })).tokens).toBeLessThanOrEqual(600)
    expect(before.tokens).toBeLessThanOrEqual(600)
    expect(await memory.verify()).toMatchObject({ ok: true })
  })
})
