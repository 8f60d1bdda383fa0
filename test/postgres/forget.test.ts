import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MemoryOptions } from '../../src/api/open-memory.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { ForgetReceipt } from '../../src/domain/forget-receipt.ts'
import { overwritePages, resumeForgetting } from '../../src/forgetting/carry-out.ts'
import type { Memory } from '../../src/api/memory.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Store } from '../../src/ports/store.ts'
import { daybook } from '../cli/harness.ts'
import { figures } from '../fault/harness/figures.ts'
import { seeded } from '../fault/harness/seeded.ts'
import { times } from '../tier.ts'
import { type TestDatabase, freshDatabase, withClient } from './database.ts'
import { startLite } from './lite.ts'

const say = (content: string, id: string): { role: 'user'; content: string; id: string } => ({
  role: 'user',
  content,
  id,
})

/** Numbers that come back as they are: whole ones of a text's own. */
function embed(text: string): readonly number[] {
  return Array.from({ length: 8 }, (_, index) => ((text.charCodeAt(index) || 1) % 17) + 1)
}

const embedder = {
  name: 'known',
  dimensions: 8,
  embed: async ({ texts }: { readonly texts: readonly string[] }) => ({ vectors: texts.map(embed) }),
}

const SESSIONS = times({ daily: 3, nightly: 50 })

/** A word that stands nowhere else. */
function canaryOf(random: ReturnType<typeof seeded>): string {
  return `Q${Array.from({ length: 15 }, () => 'abcdefghijklmnopqrstuvwxyz'[random.below(26)]).join('')}`
}

async function fill(memory: Memory, scope: string): Promise<void> {
  await memory
    .scope(scope)
    .session('chat')
    .append([say('Zanzibaroo is where I live', 'one'), say('It rains', 'two')])
  await memory.scope(scope).recall('Zanzibaroo')
}

describe('what the server keeps of deleted rows', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await (await openMemory(database.url, { postgres: database.postgres })).close()
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  const vacuumAll = (): Promise<void> =>
    withClient(database.admin, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'daybook'`,
      )
      for (const { name } of rows) await client.query(`VACUUM ${name}`)
    })

  it('[forget-1] is let go of by the owner, as soon as nobody sees it any more', async (context) => {
    if (database.kind !== 'server') return context.skip()
    await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
    await fill(memory, 'acme/ada')
    const receipt = await withClient(database.admin, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await client.query('SELECT count(*) FROM daybook.messages')
      const found = await memory.scope('acme/ada').forget({ message: 'one' })
      expect(found).toMatchObject({ messages: 1, pending: ['pages'] })
      expect(await memory.verifyForgotten(found, ['Zanzibaroo'])).toMatchObject({ ok: false, pending: true, found: [] })
      await client.query('ROLLBACK')
      return found
    })
    await until(() => overwritePages(LocalMemory.partsOf(memory)))
    expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ ok: true, pending: false })
    expect(await memory.verifyForgotten(receipt, ['rains'])).toMatchObject({
      ok: false,
      found: expect.arrayContaining([
        { sample: 0, form: 'utf-8', where: 'table messages, column body', scope: 'acme/ada' },
      ]),
    })
  })

  it('[forget-1] stays pending for a role that owns nothing, until the server has vacuumed by itself', async (context) => {
    if (database.kind !== 'server') return context.skip()
    await using memory = await openMemory(database.url, { learn: false })
    await fill(memory, 'acme/bob')
    const receipt = await memory.scope('acme/bob').forget({ message: 'one' })
    expect(receipt).toMatchObject({ messages: 1, pending: ['pages'] })
    const parts = LocalMemory.partsOf(memory)
    expect(await overwritePages(parts)).toBe(false)
    // Twice: one that was under way when it was asked for does not count.
    await vacuumAll()
    await vacuumAll()
    await until(() => overwritePages(parts))
    expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ ok: true })
  })

  it('[forget-1] [words-24] is not proved on the command line before the server has vacuumed, and its files are not read', async (context) => {
    if (database.kind !== 'server') return context.skip()
    await openMemory(database.url, { learn: false }).then(async (memory) => {
      await fill(memory, 'acme/eva')
      await memory.close()
    })
    const forget = (url: string, ...words: readonly string[]): ReturnType<typeof daybook> =>
      daybook(['forget', '--memory', url, '--scope', 'acme/eva', '--everything', '--yes', ...words])
    const first = await forget(database.url, '--prove', 'Zanzibaroo')
    expect(first.stdout).toContain('this role may not vacuum the tables')
    expect(first.stdout).not.toContain('Another process')
    expect(first.stdout).not.toContain('Proved')
    expect(first.status).toBe(1)
    const again = await forget(database.url, '--prove', 'Zanzibaroo', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      pending: ['pages'],
      proof: { ok: false, pending: true, found: [] },
    })
    const { migrate = '' } = database.postgres
    let byOwner = await forget(migrate, '--prove', 'Zanzibaroo')
    while (byOwner.stdout.includes('Not proved yet')) byOwner = await forget(migrate, '--prove', 'Zanzibaroo')
    expect(byOwner.stdout).toContain('Proved: "Zanzibaroo" found in no table. The files of the server were not read')
  })

  it('[forget-3] [forget-4] leaves no canary in any table, and the rest is intact', { timeout: 600_000 }, async () => {
    const random = seeded()
    await using memory = await openMemory(database.url, { embedder, postgres: database.postgres })
    const ada = memory.scope('canaries/ada')
    const doomed = Array.from({ length: SESSIONS }, () => Array.from({ length: 20 }, () => canaryOf(random)))
    const kept = Array.from({ length: 20 }, () => canaryOf(random))
    for (const [number, canaries] of [...doomed, kept].entries())
      for (const canary of canaries)
        await ada.session(`chat-${number}`).append({
          role: 'user',
          id: `id-${canary}`,
          content: `My name is ${canary} and I live in ${canary}ville.`,
          metadata: { [canary]: canary },
        })
    await ada.recall('who lives where?')
    await memory.settled()
    const samples = doomed.flat()
    const before = await memory.verifyForgotten({ id: 'none' } as ForgetReceipt, samples)
    expect(new Set(before.found.map(({ where }) => where)).size).toBeGreaterThan(4)

    const started = performance.now()
    const receipts = await Promise.all(doomed.map((_, number) => ada.forget({ session: `chat-${number}` })))
    const seconds = Math.round(performance.now() - started) / 1_000
    expect(receipts.reduce((sum, { messages }) => sum + messages, 0)).toBe(samples.length)
    const report = await memory.verifyForgotten(receipts[0] as ForgetReceipt, samples)
    figures('forget on PostgreSQL', { canaries: samples.length, found: report.found.length, seconds })
    expect(report.found).toEqual([])
    expect(await ada.session(`chat-${SESSIONS}`).count()).toBe(kept.length)
    expect(await memory.verify()).toMatchObject({ ok: true })
    const rest = await memory.verifyForgotten(receipts[0] as ForgetReceipt, kept)
    expect(new Set(rest.found.map(({ sample }) => sample)).size).toBe(kept.length)
  })

  const options: MemoryOptions = { learn: false }
  const both: readonly (readonly [string, () => Promise<Memory>])[] = [
    ['SQLite', () => openMemory(':memory:', options)],
    ['PostgreSQL', () => openMemory(database.url, { ...options, postgres: database.postgres })],
  ]
  it.each(both)('[forget-1] kept answers of %s are emptied, also after a crash in between', async (_, open) => {
    await using memory = await open()
    await fill(memory, 'acme/eve')
    const parts = LocalMemory.partsOf(memory)
    const { access, erasure } = parts.store
    await access.keepAnswer({ name: 'a', request: 'b', status: 200, body: '"Zanzibaroo"', at: Date.now() }, 0)
    const crash = new MemoryError('store/unavailable', 'Cannot go on: a crash, expected by this test', {})
    const { blankAnswers } = erasure
    const broken = { blankAnswers: () => Promise.reject(crash) } satisfies Partial<Store['erasure']>
    Object.assign(erasure, broken)
    await expect(memory.scope('acme/eve').forget({ message: 'one' })).rejects.toBe(crash)
    Object.assign(erasure, { blankAnswers })
    const [row] = await erasure.unfinished()
    expect(row).toMatchObject({ scope: 'acme/eve', stage: 'answers' })
    expect(row?.body).not.toContain('Zanzibaroo')
    expect((await access.answer('a'))?.body).toContain('Zanzibaroo')
    if (row !== undefined) await until(() => resumeForgetting(parts, row).then(() => true, isBusy))
    expect(await access.answer('a')).toMatchObject({ status: 200, body: '' })
    expect(await erasure.unfinished()).toEqual([])
  })
})

it(
  '[forget-1] [pg-7] [pg-8] vectors go from the tables and from the index of pgvector',
  { timeout: 60_000 },
  async () => {
    await using database = await startLite({ extensions: { vector } })
    await using memory = await openMemory(database.url, { learn: false, embedder, postgres: database.postgres })
    await fill(memory, 'acme/ada')
    await memory.settled()
    expect((await memory.stats()).vectorSearch).toMatch(/^pgvector \d/)
    const samples = [embed('Zanzibaroo is where I live')]
    const before = await memory.verifyForgotten({ id: 'none' } as ForgetReceipt, samples)
    expect(before.found.map(({ where }) => where).toSorted()).toEqual([
      'table vectors, column bytes',
      expect.stringMatching(/^table vectors_\d+, column embedding$/),
    ])
    const receipt = await memory.scope('acme/ada').forget({ message: 'one' })
    expect(receipt.vectors).toBe(1)
    expect(await memory.verifyForgotten(receipt, samples)).toMatchObject({ found: [] })
    expect((await memory.verifyForgotten(receipt, [embed('It rains')])).found).toHaveLength(2)
  },
)

function isBusy(error: unknown): boolean {
  if (MemoryError.is(error, 'store/busy')) return false
  throw error
}

/** Others on the server may look back for a moment. */
async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done()));
}
