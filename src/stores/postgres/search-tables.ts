import type { SampleFound } from '../../api/upkeep.ts'
import type { SamplePattern } from '../../ports/erasure-store.ts'
import { type Program, all } from '../sql/program.ts'
import type { PostgresDatabase } from './database.ts'
import { identifier } from './identifier.ts'

/** So many pages a statement: none takes longer than the server allows. */
const PAGES_PER_READ = 1_000
const FOUND_MAX = 1_000

/**
 * What can hold something that somebody said. Parts of a table show nothing of themselves: they are read through the whole, the
 * same pages of all of them at once, as far as the largest goes.
 */
const COLUMNS = `SELECT c.relname::text AS "table", a.attname::text AS "column", t.typname::text AS "type",
    (SELECT max(pg_relation_size(part)) FROM (
      SELECT c.oid AS part UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = c.oid) AS parts
    ) / current_setting('block_size')::bigint AS "pages",
    EXISTS (SELECT 1 FROM pg_attribute s WHERE s.attrelid = c.oid AND s.attname = 'scope' AND s.attnum > 0) AS "scoped"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped
    AND t.typname IN ('text', 'bytea', 'vector') ORDER BY c.relname, a.attnum`

interface Column {
  readonly table: string
  readonly column: string
  readonly type: 'text' | 'bytea' | 'vector'
  readonly pages: number
  /** Whether its rows name their scope. */
  readonly scoped: boolean
}

/** Looks through every value of every table. The server's files are out of reach. */
export async function searchTables(
  database: PostgresDatabase,
  patterns: readonly SamplePattern[],
): Promise<readonly SampleFound[]> {
  const columns = await database.read('list the tables', 'every scope', () => all<Column>(COLUMNS))
  const found: SampleFound[] = []
  for (const column of columns) {
    const own = column.type === 'vector' ? patterns.flatMap(inNetworkOrder) : patterns
    if (own.length === 0) continue
    const hits = new Map<string, Hit>()
    // One page more: the table may have grown since.
    for (let page = 0; page <= column.pages; page += PAGES_PER_READ)
      for (const hit of await database.read('search the tables', 'every scope', () => searchPages(column, page, own)))
        hits.set(JSON.stringify([hit.nth, hit.scope]), hit)
    for (const { nth, scope } of [...hits.values()].toSorted((a, b) => a.nth - b.nth)) {
      const pattern = own[nth - 1]
      if (pattern === undefined || found.length >= FOUND_MAX) continue
      const where = `table ${column.table}, column ${column.column}`
      found.push({ sample: pattern.sample, form: pattern.form, where, ...(scope === null ? {} : { scope }) })
    }
  }
  return found
}

/** A pattern that was found, counted from 1, and the scope of a row that has it. */
interface Hit {
  readonly nth: number
  readonly scope: string | null
}

/** Finds the patterns that are in some pages of a column. */
function* searchPages(
  { table, column, type, scoped }: Column,
  page: number,
  patterns: readonly SamplePattern[],
): Program<readonly Hit[]> {
  const name = identifier(column)
  const bytes = { text: `convert_to(${name}, 'UTF8')`, bytea: name, vector: `vector_send(${name})` }[type]
  return yield* all<Hit>(
    `SELECT DISTINCT p.nth AS "nth", t.scope AS "scope"
      FROM (SELECT ${bytes} AS bytes, ${scoped ? 'scope' : 'NULL::text AS scope'} FROM ${identifier(table)} WHERE ctid >= ?::tid AND ctid < ?::tid) AS t
      JOIN unnest(?::bytea[]) WITH ORDINALITY AS p (bytes, nth) ON position(p.bytes IN t.bytes) > 0`,
    `(${page},0)`,
    `(${page + PAGES_PER_READ},0)`,
    patterns.map((pattern) => Buffer.from(pattern.bytes)),
  )
}

/** As the server sends numbers: the other way round than they are stored by us. */
function inNetworkOrder(pattern: SamplePattern): readonly SamplePattern[] {
  return pattern.form === 'float32' ? [{ ...pattern, bytes: Buffer.from(pattern.bytes).swap32() }] : []
}
