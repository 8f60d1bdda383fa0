import { describe, expect, it } from 'vitest'
import { knowledgeStatements, selectFacts, versionedStatements } from '../../src/stores/sql/knowledge-statements.ts'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { openDatabase } from '../../src/stores/sqlite/open-database.ts'

const driver = await driverFor(undefined)

const selectors = ['id', 'subject', 'subjectAndPredicate', 'entity', 'predicate', 'object', 'all'] as const
const statements: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(knowledgeStatements),
  ...Object.entries(versionedStatements).flatMap(([name, { now, past }]) => [
    [`${name} now`, now] as const,
    [`${name} past`, past] as const,
  ]),
  ...selectors.flatMap((selector) =>
    [false, true].flatMap((newestFirst) => [
      [`facts by ${selector} now, newest first: ${newestFirst}`, selectFacts(selector, 'now', newestFirst)] as const,
      [`facts by ${selector} past, newest first: ${newestFirst}`, selectFacts(selector, 'past', newestFirst)] as const,
    ]),
  ),
]

/** Indexes that were made for a question; one that only knows the scope would read everything in it. */
const narrow = /USING (?:COVERING )?(?:INDEX \S+|PRIMARY KEY) \((?:\w+=\? AND|\w+=\?\)$)/

describe('[fact-11] statements about knowledge', () => {
  it.each(statements)('%s uses nothing that only one database has', (_, text) => {
    expect(text).not.toMatch(/\b(json_each|rowid|pragma|unnest|ifnull|instr|glob)\b|::|\$\d|OR (IGNORE|REPLACE)/i)
  })

  it.each(statements.filter(([name]) => !/^(insert|write)/.test(name)))(
    '%s finds its rows by an index',
    (name, text) => {
      const database = openDatabase(':memory:', Date.now, driver)
      const values = Array.from({ length: text.split('?').length - 1 }, () => null)
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[]
      database.close()
      for (const { detail } of plan.filter((line) => /SEARCH|SCAN (?!numbered|\(subquery)/.test(line.detail)))
        expect(`${name}: ${detail}`).toMatch(narrow)
      if (!name.startsWith('facts by subjectAndPredicate'))
        for (const { detail } of plan) expect(`${name}: ${detail}`).not.toMatch(/TEMP B-TREE FOR ORDER BY/)
    },
  )
})
