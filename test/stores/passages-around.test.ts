import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isList } from '../../src/domain/interleave.ts'
import { recallMigration } from '../../src/stores/sql/migrations/0002-recall.ts'
import { around, aroundLocally } from '../../src/stores/sql/passages.ts'
import type { Program, ProgramStep } from '../../src/stores/sql/program.ts'
import { recallStatements } from '../../src/stores/sql/recall-statements.ts'
import { writeTerms } from '../../src/stores/sql/term-bytes.ts'
import { sqlite } from '../../src/stores/sqlite/dialect.ts'

const MESSAGE = 2 ** 20

it('passages around places are the same one by one as all together, also among long messages', () => {
  const place = fc.record({ thread: fc.constantFrom(4, 8), place: fc.nat(60).map((seq) => seq * MESSAGE) })
  const lengths = fc.array(fc.constantFrom(0, 1, 1, 2, 20), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(lengths, fc.array(place, { maxLength: 12 }), fc.constantFrom(0, 2, 7), (counts, places, passages) => {
      const database = filled(counts)
      const reach = { passages, distance: passages * MESSAGE }
      const found = run(database, aroundLocally(places, reach))
      expect(found).toEqual(run(database, around(places, reach)))
      database.close()
    }),
    { numRuns: 50 },
  )
})

/** Two threads whose messages have so many passages each. */
function filled(counts: readonly number[]): Database.Database {
  const database = new Database(':memory:')
  for (const statement of recallMigration.statements(sqlite)) database.exec(statement)
  const add = database.prepare(recallStatements.addPassage)
  const terms = writeTerms([], new Map())
  for (const thread of [4, 8])
    for (const [seq, count] of counts.entries())
      for (let nth = 0; nth < count; nth++) add.run(thread, seq * MESSAGE + nth, 1, '', '""', 1, seq, 1, 0, terms)
  return database
}

function run<Result>(database: Database.Database, program: Program<Result>): Result {
  const answer = ({ text, values }: ProgramStep): unknown =>
    database
      .prepare(text)
      .raw(true)
      .all(...values)
  let next = program.next()
  while (next.done !== true) next = program.next(isList(next.value) ? next.value.map(answer) : answer(next.value))
  return next.value
}
