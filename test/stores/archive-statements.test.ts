import { describe, expect, it } from 'vitest'
import { archiveStatements, tableStatements } from '../../src/stores/sql/archive-statements.ts'
import { archiveTables } from '../../src/stores/sql/archive-tables.ts'
import { sqlite } from '../../src/stores/sqlite/dialect.ts'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { openDatabase } from '../../src/stores/sqlite/open-database.ts'

const driver = await driverFor(undefined)

const pages = archiveTables.flatMap((table) => {
  const { first, next, byKey } = tableStatements(table, sqlite)
  return [
    [`${table.kind}, first page`, first],
    [`${table.kind}, next page`, next],
    [`${table.kind} by its key`, byKey],
  ] as const
})
const statements: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(archiveStatements),
  ...pages,
  ...archiveTables.map((table) => [`${table.kind} stored`, tableStatements(table, sqlite).insert] as const),
]

/** Tables of the schema that are not in an archive, each for its reason. */
const LEFT_OUT = {
  'of the log itself': ['sessions', 'messages', 'amendments'],
  'derived from messages': ['tool_links', 'tool_counts'],
  'derived for recall': [
    'recall_shelves',
    'recall_threads',
    'recall_terms',
    'recall_segments',
    'recall_postings',
    'recall_passages',
    'recall_posted',
    'recall_speakers',
  ],
  'derived by an embedder': ['vector_generations', 'vector_sets', 'vectors'],
  'work that is found again': ['jobs'],
  'records for 30 days': ['kept_contexts', 'kept_texts'],
  "a server's": ['access_keys', 'audit', 'answers'],
  'by the keys of this database': ['forgotten_sessions'],
  'work that is finished here': ['erasures'],
  "the schema's": ['migrations'],
}

describe('[arc-1] statements of archives', () => {
  it('know every table with every column, or why it is not theirs', () => {
    const database = openDatabase(':memory:', Date.now, driver)
    const tables = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
      .pluck()
      .all() as string[]
    expect([...archiveTables.map(({ table }) => table), ...Object.values(LEFT_OUT).flat()].toSorted()).toEqual(
      tables.toSorted(),
    )
    for (const { table, columns, nullable, of } of archiveTables) {
      const found = database.pragma(`table_info(${table})`) as { name: string; notnull: number }[]
      const named = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      const own = found.filter(
        ({ name }) => name !== 'row_digest' && name !== 'nth' && (name !== 'session' || of === 'state'),
      )
      expect(own.map(({ name }) => named(name)).toSorted(), table).toEqual(Object.keys(columns).toSorted())
      expect(
        own.flatMap(({ name, notnull }) => (notnull === 1 ? [] : [named(name)])),
        table,
      ).toEqual(nullable)
    }
    database.close()
  })

  it.each(statements)('%s uses nothing that only one database has', (_, text) => {
    expect(text).not.toMatch(/\b(json_each|rowid|pragma|unnest|ifnull|instr|glob)\b|::|\$\d|OR (IGNORE|REPLACE)/i)
  })

  it.each(pages)('%s begins where the page before ended, and sorts nothing', (name, text) => {
    const database = openDatabase(':memory:', Date.now, driver)
    const values = Array.from({ length: text.split('?').length - 1 }, () => null)
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[]
    database.close()
    const details = plan.map(({ detail }) => detail).join('; ')
    expect(details, name).not.toMatch(/TEMP B-TREE/)
    if (name.endsWith('next page') && !name.startsWith('learned')) expect(details, name).toMatch(/SEARCH .*>/)
    if (name.endsWith('next page') && /fact,|fact-source|entity|blob/.test(name))
      expect(details, name).toMatch(/\((scope,|\(?scope, ?\w+)/)
  })
})
