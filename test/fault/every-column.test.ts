import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { MemoryHead } from '../../src/api/upkeep.ts'
import { type DigestTable, digestTables, tables } from '../../src/stores/sql/tables.ts'
import { times } from '../tier.ts'
import { changeEveryTable, fillEveryTable, uncheckedColumns } from './harness/every-table.ts'
import { memoryFolder } from './harness/folder.ts'

/** Without its last row a migration is applied again. */
const mayVanish: ReadonlySet<string> = new Set(['migrations'])
/** Rows of these are named by others. What is derived is compared with the log. */
const foundAlone: ReadonlySet<string> = new Set(['sessions', 'messages', 'amendments', 'blobs', 'fact_sources'])

const folder = memoryFolder()
const whole = folder.file('whole.db')
afterAll(() => folder[Symbol.dispose]())

beforeAll(() => fillEveryTable(whole))

it('[walls-204] a memory that nobody changed is sound, its index included', async () => {
  await using memory = await openMemory(whole, { readOnly: true })
  const { ok, damage, index } = await memory.verify()
  expect({ ok, damage, skipped: index?.skipped }).toEqual({ ok: true, damage: [], skipped: 0 })
  expect(index?.scopes).toBeGreaterThan(2)
})

it('[walls-204] each column of each table, changed once, is found', async () => {
  const silent: string[] = []
  const empty: string[] = []
  const database = new BetterSqlite(whole, { readonly: true })
  const names = database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all()
  const described = new Map(tables.map((table) => [table.name, table]))
  const columns = names.flatMap((table) =>
    (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => ({ table, column: name })),
  )
  database.close()
  for (const { table, column } of columns) {
    if (['none', undefined].includes(described.get(table)?.checked) || uncheckedColumns.has(`${table}.${column}`))
      continue
    const file = folder.file(`${table}.${column}.db`)
    copyFileSync(whole, file)
    const outcome = change(file, table, column)
    if (outcome === 'empty') empty.push(table)
    else if (outcome === 'changed' && !(await isFound(file, table))) silent.push(`${table}.${column}`)
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  }
  expect({ silent, empty: [...new Set(empty)] }).toEqual({ silent: [], empty: [] })
})

it('[walls-260] [walls-261] a row that is deleted from any table is found, most of them with a statement of heads', async () => {
  const head = await headOf(whole)
  const silent: string[] = []
  const exempt = new Set([...mayVanish, ...digestTables.filter(vanishes).map(({ name }) => name)])
  for (const { name, checked } of tables) {
    if (checked === 'none' || exempt.has(name)) continue
    const count = times({ daily: 2, nightly: 8 })
    const isNamed = checked === 'log' || foundAlone.has(name)
    for (let nth = 0; nth < count; nth++) {
      const file = folder.file(`${name}.${nth}.db`)
      copyFileSync(whole, file)
      if (deleteRow(file, name, nth / count) && !(await isFound(file, name, isNamed ? undefined : head)))
        silent.push(name)
      for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
    }
  }
  expect(silent).toEqual([])
})

it('[walls-260] an old row that is put back is found with a statement of heads', async () => {
  const [later, silent, tried] = [folder.file('later.db'), [] as string[], new Set<string>()]
  copyFileSync(whole, later)
  await changeEveryTable(later)
  const head = await headOf(later)
  for (const table of digestTables) {
    if (vanishes(table)) continue
    for (const old of changedRows(table.name, later)) {
      const file = folder.file(`${table.name}.old.db`)
      copyFileSync(later, file)
      const database = new BetterSqlite(file)
      putBack(database, table.name, old)
      database.close()
      tried.add(table.name)
      if (!(await isFound(file, table.name, head))) silent.push(table.name)
      for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
    }
  }
  expect([...tried]).toEqual(
    expect.arrayContaining(['facts', 'entities', 'entity_names', 'state_heads', 'state_entries', 'access_keys']),
  )
  // What changes in place may be put back: see docs/security.md.
  const changing = digestTables.filter(({ stated }) => typeof stated === 'object' && 'changing' in stated)
  expect(silent.filter((name) => !changing.some((table) => table.name === name))).toEqual([])
})

it('[walls-260] docs/security.md names each table whose rows may vanish or be put back unseen', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  const changes = ({ stated }: DigestTable): boolean => typeof stated === 'object' && 'changing' in stated
  const listed = [
    ...mayVanish,
    ...tables.filter(({ checked }) => checked === 'none').map(({ name }) => name),
    ...digestTables.filter((table) => vanishes(table) || changes(table)).map(({ name }) => name),
  ]
  expect(listed.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

async function headOf(file: string): Promise<MemoryHead> {
  await using memory = await openMemory(file, { readOnly: true })
  return await memory.head()
}

function vanishes({ stated }: DigestTable): boolean {
  return typeof stated === 'object' && 'vanishes' in stated
}

/** A shelf of the index that nothing stands on is made again when it is needed: without it, the index says the same. */
const holdsSomething: Readonly<Record<string, string>> = {
  recall_shelves: 'WHERE key IN (SELECT shelf FROM recall_threads)',
}

/** Deletes the row that lies in this part of the table; false if there is none. */
function deleteRow(file: string, table: string, part: number): boolean {
  const database = new BetterSqlite(file)
  database.pragma('foreign_keys = OFF')
  try {
    const keys = keysOf(database, table)
    const rows = `FROM ${table} ${holdsSomething[table] ?? ''}`
    const count = database.prepare(`SELECT COUNT(*) ${rows}`).pluck().get() as number
    const { changes } = database
      .prepare(`DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} ${rows} ORDER BY ${keys} LIMIT 1 OFFSET ?)`)
      .run(Math.floor(count * part))
    return changes > 0
  } finally {
    database.close()
  }
}

function keysOf(database: BetterSqlite.Database, table: string): string {
  const columns = database.pragma(`table_info(${table})`) as { name: string; pk: number }[]
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
  return keys.length === 0 ? 'rowid' : keys.join(', ')
}

/** Rows of the whole file that are others in a later one. */
function changedRows(table: string, later: string): readonly Record<string, unknown>[] {
  const database = new BetterSqlite(later)
  try {
    database.prepare('ATTACH ? AS before').run(whole)
    const keys = keysOf(database, table)
    return database
      .prepare(
        `SELECT * FROM before.${table} WHERE (${keys}, row_digest) NOT IN (SELECT ${keys}, row_digest FROM main.${table})
          AND (${keys}) IN (SELECT ${keys} FROM main.${table})`,
      )
      .all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

function putBack(database: BetterSqlite.Database, table: string, row: Record<string, unknown>): void {
  const names = Object.keys(row)
  database
    .prepare(`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(row))
}

/** Changes one value, without the rules that would refuse it. A value that is part of a reference or unique may not change: then that is found. */
function change(file: string, table: string, column: string): 'changed' | 'empty' | 'refused' {
  const database = new BetterSqlite(file)
  database.pragma('foreign_keys = OFF')
  try {
    const rows = database
      .prepare(`SELECT * FROM ${table}${table === 'vectors' ? ' ORDER BY rowid' : ''}`)
      .all() as Record<string, unknown>[]
    const keys = (database.pragma(`table_info(${table})`) as { name: string; pk: number }[]).filter(({ pk }) => pk > 0)
    const row = (keys.length === 0 ? undefined : rows.find((one) => one[column] !== null)) ?? rows[0]
    if (row === undefined) return 'empty'
    const found = keys.length === 0 ? [] : keys.map(({ name }) => row[name])
    const where =
      keys.length === 0
        ? `rowid = (SELECT MIN(rowid) FROM ${table})`
        : keys.map(({ name }) => `${name} = ?`).join(' AND ')
    const { changes } = database
      .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`)
      .run(other(row[column]), ...found)
    return changes > 0 ? 'changed' : 'empty'
  } catch {
    return 'refused'
  } finally {
    database.close()
  }
}

function other(value: unknown): unknown {
  if (value === null) return 7
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string')
    return value === '' ? 'x' : `${value.slice(0, -1)}${String.fromCharCode(value.charCodeAt(value.length - 1) ^ 1)}`
  const bytes = Buffer.from(value as Uint8Array)
  if (bytes.length === 0) return Buffer.from([1])
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return bytes
}

async function isFound(file: string, table: string, head?: MemoryHead): Promise<boolean> {
  try {
    // Read only: background work, such as an erasure that goes on, would write the changed row again with a digest.
    await using memory = await openMemory(file, { readOnly: true })
    return !(await memory.verify({ index: table.startsWith('recall_'), ...(head === undefined ? {} : { head }) })).ok
  } catch {
    return true
  }
}
