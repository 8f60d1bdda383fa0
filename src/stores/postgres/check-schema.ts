import { identifier } from './identifier.ts'
import type { Pool } from './pool.ts'

/** Indexes that the server itself does not trust, tables without row security, and blocks that failed their checksum. */
const PROBLEMS = `
  SELECT format('index %s is not valid: rebuild it with REINDEX', c.relname) AS "problem"
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = to_regnamespace(?) AND NOT (i.indisvalid AND i.indisready)
  UNION ALL
  SELECT format('table %s is not under row security: open the memory with postgres.migrate', c.relname)
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace(?) AND c.relkind IN ('r', 'p')
      AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
  UNION ALL
  SELECT format('%s blocks of the database failed their checksum', checksum_failures)
    FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0`

/** What is wrong with the tables as a whole, by the server's own word. */
export function schemaProblems(pool: Pool): Promise<readonly string[]> {
  const schema = identifier(pool.options.schema)
  return pool.using('check the tables', async (link) => {
    const rows = (await link.send({ text: PROBLEMS, values: [schema, schema], gives: 'rows' })) as readonly {
      readonly problem: string
    }[]
    return rows.map(({ problem }) => problem)
  })
}
