import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
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

describe('[surface-71] reads of one piece of work on PostgreSQL', () => {
  let database: TestDatabase
  let memory: Memory
  beforeAll(async () => {
    database = await freshDatabase()
    await using writer = await openMemory(database.url, { learn: false, postgres: database.postgres })
    const chat = writer.scope('acme').session('s')
    for (let turn = 0; turn < 20; turn++)
      await chat.append([
        { role: 'user', content: `Where is order ${7_000 + turn}?` },
        { role: 'assistant', content: 'On its way.' },
      ])
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
    expect(await transactionsOf(() => chat.context({ budget: 4_000, model: 'gpt-5' }))).toEqual({ reads: 1, writes: 0 })
    expect(await transactionsOf(() => chat.context({ budget: 4_000, model: 'gpt-5' }))).toEqual({ reads: 1, writes: 0 })
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
