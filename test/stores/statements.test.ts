import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deleteCursor, erasureStatements, tablesOfSession } from '../../src/stores/sql/erasure-statements.ts'
import { dueJobs, jobStatements, listJobs } from '../../src/stores/sql/job-statements.ts'
import { learnStatements } from '../../src/stores/sql/learn-statements.ts'
import { logStatements } from '../../src/stores/sql/log-statements.ts'
import { keysStatements, recallStatements } from '../../src/stores/sql/recall-statements.ts'
import { resealStatements } from '../../src/stores/sql/reseal-statements.ts'
import { sqlite } from '../../src/stores/sqlite/dialect.ts'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { openDatabase } from '../../src/stores/sqlite/open-database.ts'

const driver = await driverFor(undefined)

const statements: Readonly<Record<string, string>> = {
  ...logStatements,
  ...recallStatements,
  ...keysStatements(sqlite),
  ...jobStatements(sqlite),
  ...learnStatements,
  ...prefixed(erasureStatements(sqlite)),
  ...prefixed(resealStatements(sqlite), 'reseal'),
  ...prefixed({ deleteCursor, ...tablesOfSession(sqlite) }),
  dueJobs: dueJobs(sqlite, 2),
  listJobs: listJobs(['scope', 'kind', 'state']),
}

/** Of lists that are short, or of nobody: no index could serve them. */
const WHOLE = ['unfinished', 'blankAnswers', 'blankSecrets']

const source = join(import.meta.dirname, '../../src')

/** Two families have a statement of one name. */
function prefixed(family: object, prefix = 'erasure'): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(family).map(([name, text]) => [`${prefix} ${name}`, String(text)]))
}

describe('[log-12] statements', () => {
  it('are shared: none of them uses what only one database has', () => {
    for (const statement of Object.values(statements)) {
      // How a list of pairs is read is the dialect's own.
      expect(statement.replace(sqlite.pairs.from, '')).not.toMatch(
        /\b(json_each|rowid|pragma|unnest|ifnull|instr|glob)\b|::|\$\d|OR (IGNORE|REPLACE)/i,
      )
    }
  })

  it('are all understood by SQLite, and none reads a whole table', () => {
    const database = openDatabase(':memory:', Date.now, driver)
    for (const [name, statement] of Object.entries(statements).filter(
      ([key]) => !/^(erasure )?(insert|add|write|make|count|begin)/.test(key) && !WHOLE.includes(key.slice(8)),
    )) {
      const parameters = Array.from({ length: statement.split('?').length - 1 }, () => null)
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...parameters) as { detail: string }[]
      // Sorts the sessions of one scope: an index by last change would be written with every message.
      const sorts = name === 'sessionsByChange' ? 'USE TEMP B-TREE FOR ORDER BY' : ''
      for (const { detail } of plan.filter((step) => step.detail !== sorts))
        expect(`${name}: ${detail}`).not.toMatch(
          /: SCAN (?!s USING INTEGER PRIMARY KEY|\(subquery|counted|used|CONSTANT ROW)|USE TEMP B-TREE FOR ORDER BY/,
        )
    }
    for (const statement of Object.values(statements)) expect(() => database.prepare(statement)).not.toThrow()
    database.close()
  })

  it('stand only in stores/', () => {
    const outside = globSync('**/*.ts', { cwd: source }).filter(
      // Patterns recognise statements that somebody pasted into a message.
      (file) => !/^(stores|knowledge\/learn\/patterns)\//.test(file),
    )
    for (const file of outside)
      expect(readFileSync(join(source, file), 'utf8'), file).not.toMatch(
        /\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE\s\w+\sSET|DELETE FROM|CREATE TABLE)\b/,
      )
  })
})
