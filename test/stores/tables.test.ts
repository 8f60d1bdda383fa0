import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { openDatabase } from '../../src/stores/sqlite/open-database.ts'
import { digestTables, tables } from '../../src/stores/sql/tables.ts'

const FOLDER = new URL('../../src/stores/sql/', import.meta.url)

it('[walls-205] every table is labelled primary, derived or operational, and every column of one with digests is named', async () => {
  const database = openDatabase(':memory:', Date.now, await driverFor(undefined))
  const found = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all() as string[]
  expect(tables.map(({ name }) => name).toSorted()).toEqual([...found, 'commits'].toSorted())
  for (const { name, key, columns, unchecked = [] } of digestTables) {
    const stored = database.pragma(`table_info(${name})`) as { name: string }[]
    expect([...key, ...columns, ...unchecked, 'row_digest'].toSorted(), name).toEqual(
      stored.map((column) => column.name).toSorted(),
    )
  }
  database.close()
})

it('[walls-205] every statement that changes a row with a digest takes the digest away', () => {
  const names = digestTables.map(({ name }) => name).join('|')
  const changes = new RegExp(`UPDATE (?:${names}) SET[^\`]*|INSERT INTO (?:${names})\\b[^\`]*DO UPDATE[^\`]*`, 'g')
  const found = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && file !== 'row-digests.ts')
    .flatMap((file) => [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(changes)].map(([text]) => text))
  expect(found.length).toBeGreaterThan(15)
  // Locks a row without changing it.
  const lock = 'SET version = state_heads.version'
  expect(found.filter((text) => !text.includes('row_digest = NULL') && !text.includes(lock))).toEqual([])
})
