import { describe, expect, it } from 'vitest'
import { vectorStatements } from '../../src/stores/sql/vector-statements.ts'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { openDatabase } from '../../src/stores/sqlite/open-database.ts'

const driver = await driverFor(undefined)

describe('[recall-9] statements about vectors', () => {
  it('are shared: none of them uses what only one database has', () => {
    for (const statement of Object.values(vectorStatements))
      expect(statement).not.toMatch(
        /\b(json_each|rowid|pragma|unnest|ifnull|instr|glob)\b|::|\$\d|OR (IGNORE|REPLACE)/i,
      )
  })

  it('read no table of vectors or sets as a whole', () => {
    const database = openDatabase(':memory:', Date.now, driver)
    for (const [name, statement] of Object.entries(vectorStatements).filter(([key]) => !key.startsWith('insert'))) {
      const parameters = Array.from({ length: statement.split('?').length - 1 }, () => null)
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...parameters) as { detail: string }[]
      for (const { detail } of plan) expect(`${name}: ${detail}`).not.toMatch(/: SCAN (vectors|vector_sets|s|v)\b/)
    }
    database.close()
  })
})
