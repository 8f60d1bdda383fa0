import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { RecallChanges } from '../../src/ports/recall-store.ts'
import type { Database } from '../../src/stores/sql/database.ts'
import type { Program } from '../../src/stores/sql/program.ts'
import { recallStore } from '../../src/stores/sql/recall-store.ts'
import { Connection } from '../../src/stores/sqlite/connection.ts'
import { SqliteDatabase } from '../../src/stores/sqlite/database.ts'
import { driverFor } from '../../src/stores/sqlite/driver.ts'
import { WriteQueue } from '../../src/stores/sqlite/write-queue.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-term-keys-'))
afterAll(() => rmSync(directory, { recursive: true }))

const SCOPE = 'a'

it('keys of terms that were rolled back are not used again, since others may have them', async () => {
  const file = join(directory, 'keys.db')
  await (await openMemory(file)).close()
  const connection = new Connection({ file, now: Date.now, driver: await driverFor(undefined) })
  const database = new SqliteDatabase(connection, new WriteQueue(connection, () => undefined))
  const other = recallStore(database)
  const ours = recallStore(overtaken(database, async () => void (await other.change(passageOf(4, 'beta')))))
  expect(await ours.change(passageOf(4, 'alpha'))).toEqual([false])
  expect(await ours.change(passageOf(8, 'alpha'))).toEqual([true])
  const shelf = await ours.shelf(SCOPE, 'message')
  const terms = await ours.terms([SCOPE], [shelf], ['alpha', 'beta'])
  expect(terms.map(({ term, passages }) => [term, passages])).toEqual([
    ['alpha', 1],
    ['beta', 1],
  ])
  connection.close()
})

/** Its first write is rolled back and runs again, after somebody else has written. */
function overtaken(database: SqliteDatabase, write: () => Promise<void>): Database {
  let isFirst = true
  return new Proxy<Database>(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'write') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      return async <Result>(attempt: string, scopes: readonly string[], program: () => Program<Result>) => {
        if (isFirst) {
          isFirst = false
          await expect(target.write(attempt, scopes, () => failing(program()))).rejects.toThrow('The disk is full')
          await write()
        }
        return target.write(attempt, scopes, program)
      }
    },
  })
}

function* failing(program: Program<unknown>): Program<never> {
  yield* program
  throw new Error('The disk is full')
}

function passageOf(thread: number, term: string): RecallChanges {
  const terms = [{ term, weight: 5, impact: 9 }]
  const passage = { place: 1, reference: '', speaker: '', role: 2, at: 0, length: 1, cues: 0, terms }
  const next = { version: 1, seq: 1 }
  return {
    scope: SCOPE,
    kind: 'message',
    threads: [{ thread, expected: null, next, remove: [], add: [passage], posted: [], unposted: [] }],
  }
}
