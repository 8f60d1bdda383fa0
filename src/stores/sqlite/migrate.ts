import { hash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { AppliedMigration } from '../../ports/store.ts'
import { isList } from '../../domain/interleave.ts'
import type { Migration } from '../sql/migration.ts'
import { numberedChanges } from '../sql/migrations/0015-numbered-changes.ts'
import type { ProgramStep } from '../sql/program.ts'
import { RowDigests } from '../sql/row-digests.ts'
import { sqlite } from './dialect.ts'
import { APPLICATION_ID, checkFileOwner } from './header.ts'
import { newFileStatements } from './new-file-statements.ts'

/** Brings a file to this version's schema: each step once, all missing steps in one transaction, none if another process was first. */
export function migrateFile(
  database: Database,
  file: string,
  migrations: readonly Migration[],
  now: () => number,
): void {
  if (isCurrent(database, migrations)) return checkApplied(database, file, migrations)
  database.exec('BEGIN IMMEDIATE')
  try {
    checkFileOwner(file, readOwner(database), migrations.length)
    refuseForeignTables(database, file)
    database.exec(
      'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL)',
    )
    checkApplied(database, file, migrations)
    const record = database.prepare('INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)')
    const before = appliedSteps(database).length
    const missing = migrations.slice(before)
    const statements = missing.flatMap((migration) => migration.statements(sqlite))
    database.exec((before === 0 ? newFileStatements(statements) : statements).join(';\n'))
    for (const migration of missing) record.run(migration.number, migration.name, checksum(migration), now())
    if (before > 0 && missing.includes(numberedChanges)) fillDigests(database)
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.pragma(`user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** For rows from before there were digests, and rows that a migration changed. */
function fillDigests(database: Database): void {
  const program = new RowDigests(sqlite).fillAll()
  const run = ({ text, values, gives }: ProgramStep): unknown => {
    const statement = database.prepare(text)
    return gives === 'lists' ? statement.raw(true).all(...values) : statement.run(...values)
  }
  for (let next = program.next(); next.done !== true;) {
    const { value } = next
    next = program.next(isList(value) ? value.map(run) : run(value))
  }
}

function isCurrent(database: Database, migrations: readonly Migration[]): boolean {
  const { applicationId, userVersion } = readOwner(database)
  return applicationId === APPLICATION_ID && userVersion === migrations.length
}

export function readOwner(database: Database): { applicationId: number; userVersion: number } {
  return {
    applicationId: Number(database.pragma('application_id', { simple: true })),
    userVersion: Number(database.pragma('user_version', { simple: true })),
  }
}

/** A database without our mark that has tables belongs to somebody: adding ours to it would be vandalism. */
export function refuseForeignTables(database: Database, file: string): void {
  // Mark and tables from one moment: another process may be creating the file between two reads.
  const [owner, table] = database.transaction(() => [
    readOwner(database).applicationId,
    database.prepare('SELECT name FROM sqlite_schema LIMIT 1').pluck().get(),
  ])()
  if (owner !== APPLICATION_ID && table !== undefined) {
    throw new MemoryError(
      'store/foreign',
      `Cannot open ${quote(file)}: it has a table ${quote(table)} of another application, expected a Daybook file or an empty one`,
      { file, table },
    )
  }
}

/** Refuses a file whose schema was made by other steps than this version knows. */
export function checkApplied(database: Database, file: string, migrations: readonly Migration[]): void {
  for (const [index, step] of appliedSteps(database).entries()) {
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
      `Cannot open ${quote(file)}: migration ${step.number} (${step.name}) differs from the one in this version of Daybook, expected an unmodified release`,
      { file, migration: step.number },
    )
  }
}

/** The steps that this file has taken. */
export function fileMigrations(database: Database): readonly AppliedMigration[] {
  return database
    .prepare('SELECT number, name, applied_at AS appliedAt FROM migrations ORDER BY number')
    .all() as AppliedMigration[]
}

function appliedSteps(database: Database): readonly { number: number; name: string; checksum: string }[] {
  return database.prepare('SELECT number, name, checksum FROM migrations ORDER BY number').all() as {
    number: number
    name: string
    checksum: string
  }[]
}

function checksum(migration: Migration): string {
  return hash('sha256', JSON.stringify([migration.number, migration.name, migration.statements(sqlite)]))
}
