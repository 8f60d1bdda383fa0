import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { identifier } from './identifier.ts'
import type { Link } from './link.ts'

/**
 * Tables that grow with the number of messages and facts, and the column whose hash says where a row goes: its scope, or a key
 * that belongs to one scope. Every key of such a table has that column, and every statement that is asked often names it.
 */
const columns: Readonly<Record<string, string>> = {
  sessions: 'scope',
  messages: 'scope',
  amendments: 'scope',
  tool_links: 'scope',
  operations: 'scope',
  blobs: 'scope',
  facts: 'scope',
  fact_sources: 'scope',
  entities: 'scope',
  entity_names: 'scope',
  state_entries: 'scope',
  // Found by these alone. A scope that is larger than all others is spread over all parts as well.
  recall_postings: 'segment',
  recall_passages: 'thread',
}

/** A statement of the schema, and those that make the parts of the table that it makes. One part is the table itself. */
export function partitioned(statement: string, partitions: number): readonly string[] {
  const [, table = ''] = /^CREATE TABLE (\w+) \(/.exec(statement) ?? []
  const column = columns[table]
  // A table that an earlier step made without the column is dropped by a later one.
  const has = column !== undefined && [' ', '('].some((before) => statement.includes(`${before}${column} `))
  if (partitions === 1 || !has) return [statement]
  const parts = Array.from(
    { length: partitions },
    (_, part) =>
      `CREATE TABLE ${identifier(`${table}_${part}`)} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part})`,
  )
  return [`${statement} PARTITION BY HASH (${column})`, ...parts]
}

const FOUND = `SELECT count(*) AS "parts" FROM pg_inherits WHERE inhparent = to_regclass(?)`
const PARTS = `SELECT relname::text AS "name" FROM pg_class
  WHERE relnamespace = to_regnamespace(?) AND relkind = 'r' AND relispartition`

/** How many parts the tables of a schema have; 1 if they are whole. */
export async function partitionsOf(link: Link, schema: string): Promise<number> {
  const name = `${identifier(schema)}.messages`
  const [found] = (await link.send({ text: FOUND, values: [name], gives: 'rows' })) as readonly { parts: number }[]
  return Math.max(1, found?.parts ?? 0)
}

/** Whoever may read a table may name its parts. Without a policy of their own they show nothing to anybody. */
export async function closedPartitions(link: Link, schema: string): Promise<readonly string[]> {
  const found = await link.send({ text: PARTS, values: [identifier(schema)], gives: 'rows' })
  return (found as readonly { readonly name: string }[]).flatMap(({ name }) => [
    `ALTER TABLE ${identifier(name)} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${identifier(name)} FORCE ROW LEVEL SECURITY`,
  ])
}

export function refuseOtherPartitions(schema: string, found: number, wanted: number | undefined): void {
  if (wanted === undefined || wanted === found) return
  throw new MemoryError(
    'store/partitioned',
    `Cannot open schema ${quote(schema)}: its tables have ${found === 1 ? 'no parts' : `${found} parts`}, expected ${wanted}, and that is chosen when they are made; to change it, move the memory to an empty schema`,
    { schema, found, expected: wanted },
  )
}
