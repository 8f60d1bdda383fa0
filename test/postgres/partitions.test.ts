import type pg from 'pg'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { logReads, logStatements } from '../../src/stores/sql/log-statements.ts'
import { recallStatements } from '../../src/stores/sql/recall-statements.ts'
import { segmentStatements } from '../../src/stores/sql/segment-statements.ts'
import { postgres as dialect } from '../../src/stores/postgres/dialect.ts'
import { batchSteps } from '../../src/stores/postgres/batch-steps.ts'
import { statements } from '../../src/stores/postgres/statement.ts'
import { freshDatabase, withClient } from './database.ts'

const PARTS = 8

it('[pg-13] the number of parts is chosen at creation, told, and refused if it is another', async () => {
  await using database = await freshDatabase()
  const open = (partitions?: number): ReturnType<typeof openMemory> =>
    openMemory(database.url, {
      learn: false,
      postgres: { ...database.postgres, ...(partitions === undefined ? {} : { partitions }) },
    })
  await using first = await open(PARTS)
  expect(await first.schema()).toMatchObject({ partitions: PARTS })
  await first.scope('a').session('s').append({ role: 'user', content: 'hello' })
  for (const partitions of [PARTS, undefined]) {
    await using again = await open(partitions)
    expect(await again.schema()).toMatchObject({ partitions: PARTS })
    expect(await again.scope('a').session('s').count()).toBe(1)
  }
  for (const partitions of [1, 4, 16])
    await expect(open(partitions)).rejects.toMatchObject({
      code: 'store/partitioned',
      details: { found: PARTS, expected: partitions },
    })
  await expect(open(0)).rejects.toMatchObject({ code: 'input/invalid' })
  await expect(open(257)).rejects.toMatchObject({ code: 'input/invalid' })
  expect(await first.verify()).toMatchObject({ ok: true })
})

it('[pg-13] whole tables are refused to those who ask for parts', async () => {
  await using database = await freshDatabase()
  await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
  expect(await memory.schema()).toMatchObject({ partitions: 1 })
  await expect(
    openMemory(database.url, { postgres: { ...database.postgres, partitions: PARTS } }),
  ).rejects.toMatchObject({ code: 'store/partitioned', details: { found: 1 } })
})

it('[pg-13] a window, a question and an append look into one part of each table', async () => {
  await using database = await freshDatabase()
  await using memory = await openMemory(database.url, {
    learn: false,
    postgres: { ...database.postgres, partitions: PARTS },
  })
  for (let owner = 0; owner < 32; owner++)
    await memory
      .scope(`acme/${owner}`)
      .session('s')
      .append([{ role: 'user', id: 'm', content: `The order ${owner} is late` }])
  await memory.scope('acme/7').recall('late order')
  const spread = await withClient(database.admin, async (client) => {
    const { rows } = await client.query<{ parts: string }>(
      'SELECT count(DISTINCT tableoid)::text AS parts FROM daybook.messages',
    )
    return Number(rows[0]?.parts)
  })
  expect(spread).toBeGreaterThan(1) // otherwise nothing below means anything

  const reads = logReads(dialect)
  const [scope, key] = await keyOf(database.admin, 'acme/7')
  const [term, thread] = await termOf(database.admin, 'acme/7')
  const asked: readonly (readonly [table: string, text: string, values: readonly unknown[]])[] = [
    ['sessions', logStatements.session, [scope, 's']],
    ['messages', reads.messagesUp, [scope, key, 1, 100, 50]],
    ['messages', reads.messagesDown, [scope, key, 1, 100, 50]],
    ['messages', reads.messageById, [scope, key, 'm']],
    ['amendments', reads.amendmentsOfWindow, [scope, key, 100, 1]],
    ['amendments', reads.amendmentsOfMessages, [scope, key, 1, 100, 100, scope, key, 100, 100]],
    ['recall_postings', segmentStatements.hits, [term, 2, term]],
    ['recall_passages', recallStatements.passagesIn, [thread, 0, 1_000]],
  ]
  await withClient(database.url, async (client) => {
    await client.query(`SET search_path = daybook; SELECT set_config('daybook.visible_scopes', 'acme/7', false)`)
    // Many changes at once join their lists: which parts they touch is found out row by row, on tables with something in them.
    const ofEach = ['m', 'n'].map((id) => ({
      text: reads.messageById,
      values: [scope, Number(key), id],
      gives: 'rows' as const,
    }))
    for (const { text, values } of batchSteps(ofEach).steps)
      expect(await partsTouched(client, 'messages', text, values)).toHaveLength(1)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`)
      for (const [table, text, values] of asked)
        expect((await partsTouched(client, table, text, values)).length, `${mode}: ${text}`).toBe(1)
    }
  })
})

it('[pg-13] the parts themselves show nothing to the role that runs the memory', async () => {
  await using database = await freshDatabase()
  await using memory = await openMemory(database.url, {
    learn: false,
    postgres: { ...database.postgres, partitions: PARTS },
  })
  if (database.kind === 'pglite') return // one role, and it sees everything
  for (let owner = 0; owner < 16; owner++)
    await memory.scope(`acme/${owner}`).session('s').append({ role: 'user', content: 'mine' })
  await withClient(database.url, async (client) => {
    await client.query(`SET search_path = daybook; SELECT set_config('daybook.visible_scopes', '*', false)`)
    expect((await client.query('SELECT 1 FROM messages')).rowCount).toBe(16)
    for (let part = 0; part < PARTS; part++)
      expect((await client.query(`SELECT 1 FROM messages_${part}`)).rowCount, `part ${part}`).toBe(0)
  })
})

it('[pg-13] [forget-1] a search for what was forgotten looks into the parts too', async () => {
  await using database = await freshDatabase()
  await using memory = await openMemory(database.url, {
    learn: false,
    postgres: { ...database.postgres, partitions: PARTS },
  })
  const ada = memory.scope('acme/ada')
  await ada.session('s').append([
    { role: 'user', id: 'gone', content: 'Zanzibaroo is where I live' },
    { role: 'user', id: 'left', content: 'Kumbalooma is where I work' },
  ])
  const receipt = await ada.forget({ message: 'gone' })
  const { found } = await memory.verifyForgotten(receipt, ['Zanzibaroo', 'Kumbalooma'])
  expect(found.map(({ sample }) => sample)).toContain(1)
  expect(found.map(({ sample }) => sample)).not.toContain(0)
})

async function keyOf(admin: string, scope: string): Promise<readonly [string, string]> {
  return withClient(admin, async (client) => {
    const { rows } = await client.query<{ key: string }>('SELECT key FROM daybook.sessions WHERE scope = $1', [scope])
    return [scope, rows[0]?.key ?? ''] as const
  })
}

async function termOf(admin: string, scope: string): Promise<readonly [string, string]> {
  return withClient(admin, async (client) => {
    const { rows } = await client.query<{ term: string; thread: string }>(
      'SELECT p.term, t.thread FROM daybook.recall_postings p JOIN daybook.recall_threads t USING (scope) WHERE scope = $1 LIMIT 1',
      [scope],
    )
    return [rows[0]?.term ?? '', rows[0]?.thread ?? ''] as const
  })
}

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly Plan[]
}

/** The parts of a table that a statement really looked into. */
async function partsTouched(
  client: pg.Client,
  table: string,
  text: string,
  values: readonly unknown[],
): Promise<readonly string[]> {
  const prepared = statements(false)(text).text
  await client.query(`PREPARE asked AS ${prepared}`)
  const literals = values.map((value) =>
    Array.isArray(value) ? `'{${value.join(',')}}'` : typeof value === 'number' ? String(value) : `'${String(value)}'`,
  )
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked (${literals.join(', ')})`,
  )
  await client.query('DEALLOCATE asked')
  const touched = new Set<string>()
  const walk = (plan: Plan): void => {
    const name = plan['Relation Name'] ?? ''
    if (name.replace(/_\d+$/, '') === table && (plan['Actual Loops'] ?? 0) > 0) touched.add(name)
    plan.Plans?.forEach(walk)
  }
  rows[0]?.['QUERY PLAN'].forEach(({ Plan: plan }) => walk(plan))
  return [...touched]
}
