import { copyFileSync, rmSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { tables } from '../../src/stores/sql/tables.ts'
import { fillEveryTable, uncheckedColumns } from './harness/every-table.ts'
import { memoryFolder } from './harness/folder.ts'

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

async function isFound(file: string, table: string): Promise<boolean> {
  try {
    // Read only: background work, such as an erasure that goes on, would write the changed row again with a digest.
    await using memory = await openMemory(file, { readOnly: true })
    return !(await memory.verify({ index: table.startsWith('recall_') })).ok
  } catch {
    return true
  }
}
