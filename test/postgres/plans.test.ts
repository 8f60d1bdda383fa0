import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { postgres } from '../../src/stores/postgres/dialect.ts'
import { archiveStatements, tableStatements } from '../../src/stores/sql/archive-statements.ts'
import { archiveTables } from '../../src/stores/sql/archive-tables.ts'
import { deleteCursor, erasureStatements, tablesOfSession } from '../../src/stores/sql/erasure-statements.ts'
import { learnStatements } from '../../src/stores/sql/learn-statements.ts'
import { logReads, logStatements } from '../../src/stores/sql/log-statements.ts'
import { keysStatements, recallStatements } from '../../src/stores/sql/recall-statements.ts'
import { resealStatements } from '../../src/stores/sql/reseal-statements.ts'
import { type TestDatabase, freshDatabase, withClient } from './database.ts'

/** Of lists that are short or wanted as a whole; and statements that only SQLite runs. */
const LEFT_OUT = ['unfinished', 'blankAnswers', 'blankSecrets', 'links', 'operation']
/** Their indexes begin with the scope: by what comes after it, all of an index would be read. */
const BY_SCOPE = ['messages', 'amendments', 'tool_links', 'operations']

const statements = Object.entries({
  ...logStatements,
  ...logReads(postgres),
  ...learnStatements,
  unposted: recallStatements.unposted,
  speakers: recallStatements.speakers,
  ...keysStatements(postgres),
  ...archiveStatements,
  ...erasureStatements(postgres),
  ...Object.fromEntries(Object.values(resealStatements(postgres)).map((text) => [text, text])),
  ...Object.fromEntries([deleteCursor, ...tablesOfSession(postgres)].map((text) => [text, text])),
  ...Object.fromEntries(
    archiveTables.flatMap((table) => {
      const { next, byKey } = tableStatements(table, postgres)
      return [
        [`${table.kind}, next page`, next],
        [`${table.kind} by its key`, byKey],
      ]
    }),
  ),
}).filter(([name, text]) => !LEFT_OUT.includes(name) && !text.startsWith('INSERT'))

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** What of a plan goes through a whole table or a whole index. */
function walks(node: Node): readonly string[] {
  const isIndex = /^(Bitmap )?Index/.test(node['Node Type'])
  const condition = node['Index Cond'] ?? ''
  const whole =
    node['Node Type'] === 'Seq Scan' ||
    (isIndex && condition === '') ||
    (isIndex && BY_SCOPE.includes(node['Relation Name'] ?? '') && !/\bscope = /.test(condition))
  return [
    ...(whole ? [`${node['Node Type']} on ${node['Relation Name'] ?? 'an index'}`] : []),
    ...(node.Plans ?? []).flatMap(walks),
  ]
}

describe('[pg-3] plans of statements on PostgreSQL, under row security', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await (await openMemory(database.url, { postgres: database.postgres })).close()
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it('use an index for what they look for', async () => {
    await withClient(database.url, async (client) => {
      // Without values, as the server keeps the plans of what it is asked often.
      await client.query(
        `SET search_path = daybook; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET daybook.visible_scopes = 'acme'`,
      )
      const found: string[] = []
      for (const [name, text] of statements) {
        let count = 0
        const numbered = text.replaceAll(/'(?:[^']|'')*'|"[^"]*"|\?/g, (token) =>
          token === '?' ? `$${++count}` : token,
        )
        await client.query(`PREPARE asked AS ${numbered}`)
        const values = Array.from({ length: count }, () => 'NULL').join(', ')
        const plan = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
          `EXPLAIN (FORMAT JSON) EXECUTE asked${count === 0 ? '' : `(${values})`}`,
        )
        await client.query('DEALLOCATE asked')
        for (const { 'QUERY PLAN': told } of plan.rows)
          for (const walk of walks(told[0].Plan)) found.push(`${name}: ${walk}`)
      }
      expect(found).toEqual([])
    })
  })
})
