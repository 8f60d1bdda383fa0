import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Session } from '../src/api/session.ts'
import { logReads } from '../src/stores/sql/log-statements.ts'
import { sqlite } from '../src/stores/sqlite/dialect.ts'
import { type Figure, median } from './measure.ts'

const READS = 2_000

/** [show-5] [anywhere-28] The newest 50 of a short and of a very long session, read in turns in one process. */
export async function recentBenchmark(directory: string): Promise<readonly Figure[]> {
  const file = join(directory, 'recent.db')
  const memory = await openMemory(file)
  const scope = memory.scope('bench/ada')
  const short = scope.session('short')
  const long = scope.session('long')
  await fill(short, 1_000)
  await fill(long, 1_000_000)
  const times = { short: [] as number[], long: [] as number[], bare: [] as number[] }
  const bare = bareQuery(file, 'long')
  for (let read = 0; read < READS; read++) {
    times.short.push(await timed(() => short.recent(50)))
    times.long.push(await timed(() => long.recent(50)))
    times.bare.push(await timed(bare))
  }
  await memory.close()
  const [few, many, plain] = [median(times.short), median(times.long), median(times.bare)]
  return [
    {
      requirement: '[show-5]',
      what: 'recent(50), 1,000,000 messages against 1,000',
      value: many / few,
      unit: '×',
      goal: { atMost: 1.5 },
      note: `p50 ${many.toFixed(3)} ms, ${few.toFixed(3)} ms`,
    },
    {
      requirement: '[show-5] [anywhere-28]',
      what: 'recent(50), checked against its digests, against the bare query of the same rows',
      value: median(times.long.map((ms, read) => ms / (times.bare[read] ?? Number.NaN))),
      unit: '×',
      goal: { atMost: 3 },
      note: `p50 ${many.toFixed(3)} ms, bare ${plain.toFixed(3)} ms`,
    },
  ]
}

async function fill(session: Session, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1_000) {
    await session.append(
      Array.from({ length: 1_000 }, (_, index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Message ${done + index}: the order is late and the customer is waiting.`,
      })),
    )
  }
}

/** The same rows by better-sqlite3 alone: no message is made of them, and nothing is checked. */
function bareQuery(file: string, session: string): () => unknown {
  const database = new Database(file, { readonly: true })
  const found = database.prepare('SELECT key, last_seq FROM sessions WHERE name = ?').raw().get(session)
  const [key, last] = found as [number, number]
  const query = database.prepare(logReads(sqlite).messagesDown)
  return () => query.all(key, 1, last, 50)
}

async function timed(read: () => unknown): Promise<number> {
  const start = performance.now()
  await read()
  return performance.now() - start
}
