import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type Program, all, change, together } from '../../src/stores/sql/program.ts'
import { Connection } from '../../src/stores/sqlite/connection.ts'
import { SqliteDatabase } from '../../src/stores/sqlite/database.ts'
import { type Driver, driverFor } from '../../src/stores/sqlite/driver.ts'
import { WriteQueue } from '../../src/stores/sqlite/write-queue.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-long-writes-'))
afterAll(() => rmSync(directory, { recursive: true }))

interface Opened {
  readonly database: SqliteDatabase
  readonly connection: Connection
}

async function open(name: string, given?: Driver): Promise<Opened> {
  const driver = given ?? (await driverFor(undefined))
  // A test that is run again opens another file.
  const file = join(mkdtempSync(join(directory, 'file-')), name)
  const connection = new Connection({ file, now: Date.now, driver })
  connection.database().exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY)')
  return { connection, database: new SqliteDatabase(connection, new WriteQueue(connection, () => undefined)) }
}

function* add(from: number, count: number): Program<number> {
  yield* together(Array.from({ length: count }, (_, nth) => change('INSERT INTO numbers VALUES (?)', from + nth)))
  return count
}

describe('[walls-241] a write of many statements', () => {
  it('lets others run and read meanwhile, who see nothing of it before its end', async () => {
    const { database, connection } = await open('long.db')
    let isDone = false
    let turns = 0
    const seen = new Set<number>()
    const writing = database.write('add', [], () => add(0, 80_000)).finally(() => (isDone = true))
    const after = database.write('add', [], () => add(80_000, 1))
    while (!isDone) {
      turns += 1
      const rows = await database.read('count', [], () =>
        all<{ readonly n: number }>('SELECT COUNT(*) AS n FROM numbers'),
      )
      if (!isDone) seen.add(rows[0]?.n ?? -1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await writing).toBe(80_000)
    await after
    expect(turns).toBeGreaterThan(3)
    expect([...seen].filter((count) => count !== 80_000)).toEqual([0])
    const rows = await database.read('count', [], () =>
      all<{ readonly n: number }>('SELECT COUNT(*) AS n FROM numbers'),
    )
    expect(rows).toEqual([{ n: 80_001 }])
    connection.close()
  })

  it('that fails leaves nothing behind, and those before and after it are written', async () => {
    const { database, connection } = await open('failing.db')
    const results = await Promise.allSettled([
      database.write('add', [], () => add(0, 1)),
      database.write('add', [], function* () {
        yield* add(10, 5_000)
        return yield* add(0, 1)
      }),
      database.write('add', [], function* () {
        yield* add(10, 5_000)
        throw new MemoryError('input/invalid', 'no', {})
      }),
      database.write('add', [], () => add(1, 1)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    const rows = await database.read('read', [], () => all('SELECT number FROM numbers'))
    expect(rows).toEqual([{ number: 0 }, { number: 1 }])
    connection.close()
  })
  it('that cannot open the file a second time fails alone', async () => {
    const driver = await driverFor(undefined)
    let opened = 0
    const { database, connection } = await open('crowded.db', {
      ...driver,
      open: (file, options) => {
        opened += 1
        if (opened > 1) throw Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' })
        return driver.open(file, options)
      },
    })
    const results = await Promise.allSettled([
      database.write('add', [], () => add(10, 5_000)),
      database.write('add', [], () => add(0, 1)),
    ])
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'store/cannot-open' } },
      { status: 'fulfilled' },
    ])
    connection.close()
  })

  it('of a log, such as a message of thousands of tool calls, is done in the same way, and what rests on it follows', async () => {
    const memory = await openMemory(join(directory, 'calls.db'), { learn: false })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'Go.' })
    const parts = Array.from({ length: 4_000 }, (_, nth) => ({
      type: 'tool-call' as const,
      id: `c${nth}`,
      name: 'find',
      arguments: '{}',
    }))
    const [, [answer]] = await Promise.all([
      chat.append({ role: 'assistant', parts }),
      chat.append({ role: 'tool', toolCallId: 'c3999', content: 'found' }),
    ])
    await chat.append({ role: 'user', content: 'Thanks.' })
    expect(answer).toMatchObject({ seq: 3 })
    expect((await chat.history()).map(({ seq, role }) => `${seq} ${role}`)).toEqual([
      '1 user',
      '2 assistant',
      '3 tool',
      '4 user',
    ])
    expect((await memory.verify({ index: false })).damage).toEqual([])
    await memory.close()
  })
})
