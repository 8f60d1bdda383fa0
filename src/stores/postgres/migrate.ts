import { hash } from 'node:crypto'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { AppliedMigration } from '../../ports/store.ts'
import type { Migration } from '../sql/migration.ts'
import { numberedChanges } from '../sql/migrations/0015-numbered-changes.ts'
import { RowDigests } from '../sql/row-digests.ts'
import { drive } from './database.ts'
import { postgres } from './dialect.ts'
import type { Link } from './link.ts'
import { identifier } from './identifier.ts'
import { closedPartitions, partitioned, partitionsOf } from './partitions.ts'
import type { Pool } from './pool.ts'
import { securedTable, visibleScopesSetting } from './row-security.ts'
import { VISIBLE } from './transactions.ts'
import { prepareVectors } from './vector-index.ts'

/** Tables that only a server needs: which steps were taken, and which commits were made. */
const foundation = [
  `CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS commits (id TEXT COLLATE "C" PRIMARY KEY, at BIGINT NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS commits_by_age ON commits (at)`,
] as const

interface AppliedStep {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** What a role finds of our tables: how many there are, and how many it cannot use or are not under row security. */
const TABLES = `SELECT count(*) AS "all",
    count(*) FILTER (WHERE c.relname = 'migrations' AND has_schema_privilege(n.oid, 'USAGE')
      AND has_table_privilege(c.oid, 'SELECT')) AS "steps",
    count(*) FILTER (WHERE c.relname <> 'migrations' AND NOT (has_table_privilege(c.oid, 'SELECT')
      AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
      AND has_table_privilege(c.oid, 'DELETE'))) AS "closed",
    count(*) FILTER (WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)) AS "open",
    count(*) FILTER (WHERE pg_has_role(c.relowner, 'MEMBER')) AS "own"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ? AND c.relkind IN ('r', 'p')`

/** How the schema stands for this role. */
export interface SchemaState {
  /** This version's, with all the rights that the role needs and every table under row security. */
  readonly ready: boolean
  /** There are tables, whether the role may use them or not. */
  readonly exists: boolean
  /** The role owns the tables, or may become the one that does: it could take them out of row security. */
  readonly owned: boolean
  /** In how many parts the tables are; undefined if there are none yet. */
  readonly partitions: number | undefined
}

export async function schemaState(pool: Pool, migrations: readonly Migration[]): Promise<SchemaState> {
  const { schema } = pool.options
  return pool.using('read the schema', async (link) => {
    const [tables] = await rows<Record<'all' | 'steps' | 'closed' | 'open' | 'own', number>>(link, TABLES, schema)
    const owned = (tables?.own ?? 0) > 0
    const exists = (tables?.all ?? 0) > 0
    if (tables === undefined || tables.steps === 0) return { ready: false, exists, owned, partitions: undefined }
    const applied = await appliedSteps(link)
    check(schema, applied, migrations)
    const partitions = applied.length === 0 ? undefined : await partitionsOf(link, schema)
    return {
      ready: applied.length === migrations.length && tables.closed === 0 && tables.open === 0,
      exists,
      owned,
      partitions,
    }
  })
}

interface MigrateOptions {
  /** Who runs the memory. */
  readonly role: string
  /** For tables that are made for the first time. */
  readonly partitions: number
  now(): number
}

/** Brings a database to this version's schema, in one transaction, and gives a role what it needs at run time. */
export async function migrateDatabase(
  pool: Pool,
  migrations: readonly Migration[],
  { role, partitions, now }: MigrateOptions,
): Promise<void> {
  const { schema } = pool.options
  await pool.using(`make the tables in schema ${quote(schema)}`, async (link) => {
    await rows(link, 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', `daybook schema ${schema}`)
    await prepareSchema(link, schema)
    await prepareVectors(link, schema)
    const applied = await appliedSteps(link)
    check(schema, applied, migrations)
    const parts = applied.length === 0 ? partitions : await partitionsOf(link, schema)
    // Migrations change rows of every scope.
    await rows(link, VISIBLE, visibleScopesSetting('every scope'))
    for (const step of migrations.slice(applied.length)) {
      for (const statement of step.statements(postgres).flatMap((made) => partitioned(made, parts)))
        await link.say(statement)
      await rows(
        link,
        'INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
        step.number,
        step.name,
        checksum(step),
        now(),
      )
    }
    if (applied.length > 0 && migrations.slice(applied.length).includes(numberedChanges))
      await drive(link, new RowDigests(postgres).fillAll())
    for (const statement of [...(await securing(link, schema)), ...(await granting(link, schema, role))])
      await link.say(statement)
  })
}

/** The steps that this database has taken. */
export async function databaseMigrations(pool: Pool): Promise<readonly AppliedMigration[]> {
  return pool.using('read the migrations', (link) =>
    rows<AppliedMigration>(
      link,
      'SELECT number AS "number", name AS "name", applied_at AS "appliedAt" FROM migrations ORDER BY number',
    ),
  )
}

async function prepareSchema(link: Link, schema: string): Promise<void> {
  await link.say(`CREATE SCHEMA IF NOT EXISTS ${identifier(schema)}`)
  const tables = await tablesOf(link, schema)
  // A schema with this name that has tables and lacks our list of steps is somebody's: adding ours to it would be vandalism.
  if (tables.length > 0 && !tables.includes('migrations')) {
    throw new MemoryError(
      'store/foreign',
      `Cannot open schema ${quote(schema)}: it has a table ${quote(tables[0])} of another application, expected a Daybook schema or an empty one`,
      { schema, table: tables[0] },
    )
  }
  for (const statement of foundation) await link.say(statement)
}

async function tablesOf(link: Link, schema: string): Promise<readonly string[]> {
  const found = await rows<{ readonly name: string }>(
    link,
    `SELECT relname::text AS "name" FROM pg_class
      WHERE relnamespace = to_regnamespace(?) AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
    identifier(schema),
  )
  return found.map(({ name }) => name)
}

async function securing(link: Link, schema: string): Promise<readonly string[]> {
  return [...(await tablesOf(link, schema)).flatMap(securedTable), ...(await closedPartitions(link, schema))]
}

/** The owner has all rights by itself; whoever else runs the memory reads and writes rows and can change nothing else. */
async function granting(link: Link, schema: string, role: string): Promise<readonly string[]> {
  const [owner] = await rows<{ readonly same: boolean }>(link, `SELECT current_user = ? AS "same"`, role)
  if (owner?.same === true) return []
  const [to, from] = [identifier(role), identifier(schema)]
  return [
    `GRANT USAGE ON SCHEMA ${from} TO ${to}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${from} TO ${to}`,
    `REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${to}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${from} TO ${to}`,
  ]
}

function check(schema: string, applied: readonly AppliedStep[], migrations: readonly Migration[]): void {
  if (applied.length > migrations.length) {
    throw new MemoryError(
      'store/newer-schema',
      `Cannot open schema ${quote(schema)}: it has version ${applied.length}, expected at most ${migrations.length}; use a newer Daybook`,
      { schema, found: applied.length, known: migrations.length },
    )
  }
  for (const [index, step] of applied.entries()) {
    const known = migrations[index]
    if (
      known !== undefined &&
      step.number === known.number &&
      step.name === known.name &&
      step.checksum === checksum(known)
    )
      continue
    throw new MemoryError(
      'store/changed-schema',
      `Cannot open schema ${quote(schema)}: migration ${step.number} (${step.name}) differs from the one in this version of Daybook, expected an unmodified release`,
      { schema, migration: step.number },
    )
  }
}

function appliedSteps(link: Link): Promise<readonly AppliedStep[]> {
  return rows<AppliedStep>(
    link,
    'SELECT number AS "number", name AS "name", checksum AS "checksum" FROM migrations ORDER BY number',
  )
}

function checksum(migration: Migration): string {
  return hash('sha256', JSON.stringify([migration.number, migration.name, migration.statements(postgres)]))
}

async function rows<Row>(link: Link, text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
  return (await link.send({ text, values, gives: 'rows' })) as readonly Row[]
}
