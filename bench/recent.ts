import { join } from 'node:path'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Session } from '../src/api/session.ts'
import { type Figure, median } from './measure.ts'

const READS = 2_000

/** [show-5] The newest 50 of a short and of a very long session, read in turns in one process. */
export async function recentBenchmark(directory: string): Promise<readonly Figure[]> {
  const memory = await openMemory(join(directory, 'recent.db'))
  const scope = memory.scope('bench/ada')
  const short = scope.session('short')
  const long = scope.session('long')
  await fill(short, 1_000)
  await fill(long, 1_000_000)
  const times = { short: [] as number[], long: [] as number[] }
  for (let read = 0; read < READS; read++) {
    times.short.push(await timed(short))
    times.long.push(await timed(long))
  }
  await memory.close()
  const [few, many] = [median(times.short), median(times.long)]
  return [
    {
      requirement: '[show-5]',
      what: 'recent(50), 1,000,000 messages against 1,000',
      value: many / few,
      unit: '×',
      goal: { atMost: 1.5 },
      note: `p50 ${many.toFixed(3)} ms, ${few.toFixed(3)} ms`,
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

async function timed(session: Session): Promise<number> {
  const start = performance.now()
  await session.recent(50)
  return performance.now() - start
}
