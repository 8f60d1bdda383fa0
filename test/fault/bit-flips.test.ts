import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { tables } from '../../src/stores/sql/tables.ts'
import { times } from '../tier.ts'
import { fillEveryTable, uncheckedColumns } from './harness/every-table.ts'
import { figures } from './harness/figures.ts'
import { memoryFolder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'

const folder = memoryFolder()
afterAll(() => folder[Symbol.dispose]())

it('[walls-213] a random bit that changes a row is found', async () => {
  const whole = folder.file('whole.db')
  await fillEveryTable(whole)
  const sound = readFileSync(whole)
  const before = rowsIn(whole)
  const random = seeded()
  const flips = times({ daily: 400, nightly: 10_000 })
  const outcomes = { harmless: 0, found: 0, silent: 0 }
  const silent: string[] = []
  for (let flip = 0; flip < flips; flip++) {
    const [at, bit] = [random.below(sound.length), random.below(8)]
    const bytes = Buffer.from(sound)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    const file = folder.file(`flip-${flip}.db`)
    writeFileSync(file, bytes)
    const outcome = rowsIn(file) === before ? 'harmless' : (await isFound(file)) ? 'found' : 'silent'
    outcomes[outcome] += 1
    if (outcome === 'silent') silent.push(`byte ${at}, bit ${bit}`)
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  }
  figures('one bit of a row', { flips, ...outcomes })
  expect(silent).toEqual([])
  expect(outcomes.found).toBeGreaterThan(0)
})

/** All rows of all tables, without what verify does not check; the error if they cannot be read. */
function rowsIn(file: string): string {
  let database: BetterSqlite.Database | undefined
  try {
    database = new BetterSqlite(file, { readonly: true })
    return JSON.stringify(
      tables
        .filter(({ name, checked }) => checked !== 'none' && name !== 'commits')
        .map(({ name }) => [name, rowsOf(database, name)]),
    )
  } catch (error) {
    return String(error)
  } finally {
    database?.close()
  }
}

function rowsOf(database: BetterSqlite.Database | undefined, table: string): unknown {
  const rows = (database?.prepare(`SELECT * FROM ${table}`).all() ?? []) as Record<string, unknown>[]
  // A bit may make a letter of a column's name a capital: to SQL that is the same name.
  return rows.map((row) =>
    Object.entries(row)
      .map(([column, value]) => [column.toLowerCase(), value] as const)
      .filter(([column]) => !uncheckedColumns.has(`${table}.${column}`)),
  )
}

async function isFound(file: string): Promise<boolean> {
  try {
    await using memory = await openMemory(file, { readOnly: true })
    return !(await memory.verify()).ok
  } catch {
    return true
  }
}
