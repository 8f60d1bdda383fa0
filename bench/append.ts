import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Session } from '../src/api/session.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { logWrites } from '../src/stores/sql/log-statements.ts'
import { sqlite } from '../src/stores/sqlite/dialect.ts'
import { type Driver, driverFor } from '../src/stores/sqlite/driver.ts'
import { openDatabase } from '../src/stores/sqlite/open-database.ts'
import { type Figure, median } from './measure.ts'

/** Many short rounds, the two sides in turns: a machine that does other work meanwhile slows both down alike. */
const ROUNDS = 20
const ROUND_MS = 1_000
const TEXT = 'My order 7731 is late, again, and nobody answers the telephone. '.repeat(5)

/** [show-5] [anywhere-27] Durable append through Daybook beside the same rows through bare better-sqlite3 with a commit each, round by round. */
export async function appendBenchmark(directory: string): Promise<readonly Figure[]> {
  const rows = await recordRows(directory)
  const driver = await driverFor(undefined)
  const rounds = { bare: [] as Round[], one: [] as Round[], many: [] as Round[] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.bare.push(bareRound(driver, join(directory, `bare-${round}.db`), rows))
    rounds.one.push(await daybookRound(join(directory, `one-${round}.db`), 1))
    rounds.many.push(await daybookRound(join(directory, `many-${round}.db`), 64))
  }
  const ratio = (side: readonly Round[]): number =>
    median(side.map(({ rate }, round) => rate / (rounds.bare[round]?.rate ?? Number.NaN)))
  const told = (side: readonly Round[]): string =>
    `${median(side.map(({ rate }) => rate)).toFixed(0)}/s and ${median(side.map(({ cpuUs }) => cpuUs)).toFixed(0)} µs of CPU each`
  const against = `bare ${told(rounds.bare)}`
  const held = rounds.many.map(({ heldMs }) => heldMs)
  return [
    {
      requirement: '[show-5] [anywhere-27]',
      what: 'append, one caller',
      value: ratio(rounds.one),
      unit: '×',
      goal: { atLeast: 0.8 },
      note: `${told(rounds.one)}, ${against}`,
    },
    {
      requirement: '[show-5] [anywhere-27]',
      what: 'append, 64 callers',
      value: ratio(rounds.many),
      unit: '×',
      goal: { atLeast: 4 },
      note: `${told(rounds.many)}, ${against}`,
    },
    {
      requirement: '[show-5] [anywhere-27]',
      what: 'event loop held at 64 callers, worst of all rounds',
      value: Math.max(...held),
      unit: ' ms',
      goal: { atMost: 20 },
      note: `rounds ${held.map((ms) => ms.toFixed(1)).join(', ')}`,
    },
  ]
}

interface Round {
  readonly rate: number
  /** Of this process for each append, which other work on the machine changes less than the rate. */
  readonly cpuUs: number
  readonly heldMs: number
}

interface RawRow {
  readonly message: readonly unknown[]
  readonly session: readonly unknown[]
}

/** The rows that Daybook itself writes for these messages: bare SQLite gets exactly these, ready made. */
async function recordRows(directory: string): Promise<readonly RawRow[]> {
  const file = join(directory, 'rows.db')
  const memory = await openMemory(file)
  const chat = memory.scope('bench/ada').session('s')
  for (let batch = 0; batch < 30; batch++)
    await chat.append(Array.from({ length: 1_000 }, () => ({ role: 'user' as const, content: TEXT })))
  await memory.close()
  const database = new Database(file, { readonly: true })
  const rows = database
    .prepare(
      'SELECT session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body FROM messages ORDER BY seq',
    )
    .raw()
    .all() as unknown[][]
  database.close()
  return rows.map((message) => ({
    message,
    session: [message[6], message[1], message[2], message[11], 'bench/ada', 1],
  }))
}

function bareRound(driver: Driver, file: string, rows: readonly RawRow[]): Round {
  const database = openDatabase(file, Date.now, driver)
  const sql = logWrites(sqlite)
  database
    .prepare(sql.insertSession)
    .get('bench/ada', 's', 'null', 0, 0, 0, 0, Buffer.alloc(32), Buffer.alloc(32), null, null, null, null)
  const insert = database.prepare(sql.insertMessage)
  const update = database.prepare(sql.updateSession)
  const commit = database.transaction((row: RawRow) => {
    insert.run(...row.message)
    update.run(...row.session)
  })
  let written = 0
  const before = process.cpuUsage()
  const end = performance.now() + ROUND_MS
  while (performance.now() < end && written < rows.length) commit.immediate(rows[written++] as RawRow)
  const rate = (written * 1_000) / (ROUND_MS - Math.max(0, end - performance.now()))
  const cpuUs = cpuSince(before) / written
  database.close()
  return { rate, cpuUs, heldMs: 0 }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function daybookRound(file: string, callers: number): Promise<Round> {
  const memory = await openMemory(file)
  const chat = memory.scope('bench/ada').session('s')
  await chat.append({ role: 'user', content: 'warm' })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  if (callers > 1) delay.enable() // its timer would slow a lone caller
  const before = process.cpuUsage()
  const end = performance.now() + ROUND_MS
  const counts = await Promise.all(Array.from({ length: callers }, () => appendUntil(chat, end)))
  const cpuUs = cpuSince(before)
  delay.disable()
  await memory.close()
  const written = counts.reduce((sum, count) => sum + count, 0)
  return { rate: (written * 1_000) / ROUND_MS, cpuUs: cpuUs / written, heldMs: delay.max / 1e6 }
}

async function appendUntil(chat: Session, end: number): Promise<number> {
  let count = 0
  while (performance.now() < end) {
    await chat.append({ role: 'user', content: TEXT })
    count += 1
  }
  return count
}
