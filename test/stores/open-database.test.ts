import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { migrateFile, refuseForeignTables } from '../../src/stores/sqlite/migrate.ts'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { compareVersions, openDatabase } from '../../src/stores/sqlite/open-database.ts'
import { migrations } from '../../src/stores/sql/migrations/index.ts'
import type { Migration } from '../../src/stores/sql/migration.ts'

const driver = await driverFor(undefined)

const directory = mkdtempSync(join(tmpdir(), 'daybook-open-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('opening a file', () => {
  it("[log-5] does not take a file for a stranger's that another process makes ours in the same moment", () => {
    const file = join(directory, 'race.db')
    const other = new Database(file)
    other.pragma('journal_mode = WAL')
    const database = new Database(file)
    const pragma = database.pragma.bind(database)
    database.pragma = (source, options) => {
      const answer = pragma(source, options)
      if (source === 'application_id') migrateFile(other, file, migrations, Date.now)
      return answer
    }
    refuseForeignTables(database, file)
    expect(pragma('application_id', { simple: true })).not.toBe(0)
    for (const open of [database, other]) open.close()
  })

  it('[log-3] [log-4] sets the pragmas of the rules, on SQLite 3.51.3 or newer', () => {
    const database = openDatabase(join(directory, 'a.db'), Date.now, driver)
    const pragma = (name: string): unknown => database.pragma(name, { simple: true })
    expect(
      Object.fromEntries(
        [
          'journal_mode',
          'synchronous',
          'foreign_keys',
          'trusted_schema',
          'cell_size_check',
          'secure_delete',
          'temp_store',
          'mmap_size',
          'journal_size_limit',
        ].map((name) => [name, pragma(name)]),
      ),
    ).toEqual({
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      secure_delete: 1,
      temp_store: 2,
      mmap_size: 0,
      journal_size_limit: 67_108_864,
    })
    expect(pragma('application_id')).toBe(0x44_42_6f_6b)
    expect(
      compareVersions(String(database.prepare('SELECT sqlite_version()').pluck().get()), '3.51.3'),
    ).toBeGreaterThanOrEqual(0)
    database.close()
    const manifest = createRequire(import.meta.url)('better-sqlite3/package.json') as { version: string }
    expect(manifest.version).toMatch(/^13\./)
  })

  it('[log-5] makes the same tables at once as one migration after the other', () => {
    const schema = (database: Database.Database): unknown =>
      (database.prepare('SELECT type, name FROM sqlite_schema ORDER BY type, name').all() as { name: string }[]).map(
        ({ name, ...rest }) => [
          name,
          rest,
          database.pragma(`table_xinfo(${name})`),
          database.pragma(`index_list(${name})`),
        ],
      )
    const [atOnce, inSteps] = [new Database(':memory:'), new Database(':memory:')]
    migrateFile(atOnce, ':memory:', migrations, () => 0)
    for (const [index] of migrations.entries())
      migrateFile(inSteps, ':memory:', migrations.slice(0, index + 1), () => 0)
    expect(schema(atOnce)).toEqual(schema(inSteps))
    for (const database of [atOnce, inSteps]) database.close()
  })

  it('[log-9] leaves a database of another application exactly as it is', () => {
    const file = join(directory, 'theirs.db')
    const theirs = new Database(file)
    theirs.exec('CREATE TABLE theirs (x)')
    theirs.close()
    const before = readFileSync(file)
    expect(() => openDatabase(file, Date.now, driver)).toThrow(
      expect.objectContaining({ code: 'store/foreign' }) as Error,
    )
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(directory).filter((name) => name.startsWith('theirs'))).toEqual(['theirs.db'])
  })

  it('[log-4] compares versions by number', () => {
    expect(compareVersions('3.51.2', '3.51.3')).toBeLessThan(0)
    expect(compareVersions('3.9.9', '3.51.3')).toBeLessThan(0)
    expect(compareVersions('3.53.4', '3.51.3')).toBeGreaterThan(0)
    expect(compareVersions('4.0', '3.51.3')).toBeGreaterThan(0)
  })

  it('[log-4] makes files that only their owner can read', () => {
    const database = openDatabase(join(directory, 'private.db'), Date.now, driver)
    for (const suffix of ['', '-wal', '-shm'])
      expect(statSync(join(directory, `private.db${suffix}`)).mode & 0o777).toBe(0o600)
    database.close()
  })
})

describe('[log-9] migrations', () => {
  const step = (number: number, ...statements: readonly string[]): Migration => ({
    number,
    name: `step ${number}`,
    statements: () => statements,
  })
  const first = step(1, 'CREATE TABLE a (x)')
  const second = step(2, 'CREATE TABLE b (x)', 'INSERT INTO a VALUES (1)')

  it('are applied once, in order, and continued from where a file is', () => {
    const database = new Database(':memory:')
    migrateFile(database, 'f', [first], Date.now)
    migrateFile(database, 'f', [first, second], Date.now)
    migrateFile(database, 'f', [first, second], Date.now)
    expect(database.prepare('SELECT number, name FROM migrations').all()).toEqual([
      { number: 1, name: 'step 1' },
      { number: 2, name: 'step 2' },
    ])
    expect(database.prepare('SELECT count(*) FROM a').pluck().get()).toBe(1)
    expect(database.pragma('user_version', { simple: true })).toBe(2)
  })

  it('are applied together or not at all', () => {
    const database = new Database(':memory:')
    migrateFile(database, 'f', [first], Date.now)
    expect(() =>
      migrateFile(database, 'f', [first, second, step(3, 'CREATE TABLE c (x)', 'this is not SQL')], Date.now),
    ).toThrow(/syntax error/)
    expect(database.pragma('user_version', { simple: true })).toBe(1)
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all()).toEqual(
      ['a', 'migrations'],
    )
  })

  it('that were edited after they were applied are refused', () => {
    const database = new Database(':memory:')
    migrateFile(database, 'f', [first], Date.now)
    expect(() => migrateFile(database, 'f', [step(1, 'CREATE TABLE a (y)')], Date.now)).toThrow(
      expect.objectContaining({ code: 'store/changed-schema' }) as Error,
    )
  })

  it('leave files of newer versions and of other applications alone', () => {
    const newer = new Database(':memory:')
    migrateFile(newer, 'f', [first, second], Date.now)
    expect(() => migrateFile(newer, 'f', [first], Date.now)).toThrow(
      expect.objectContaining({ code: 'store/newer-schema' }) as Error,
    )
    const foreign = new Database(':memory:')
    foreign.exec('CREATE TABLE theirs (x)')
    expect(() => migrateFile(foreign, 'f', [first], Date.now)).toThrow(
      expect.objectContaining({ code: 'store/foreign' }) as Error,
    )
    expect(foreign.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['theirs'])
  })
})
