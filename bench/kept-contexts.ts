import { join } from 'node:path'
import type { Session } from '../src/api/session.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { agentSession } from './agent-session.ts'
import { type Figure, median } from './measure.ts'

const SAID = { seed: 1, turns: 60, roundsMax: 3, resultCharacters: [200, 800] } as const
const TURNS = 300
/** Above everything that is said here, so that no compaction is in either time. */
const BUDGET = 400_000

/** [inspector-14] What it costs that a context leaves a record: the same session with records and without, in turns in one process. */
export async function keptContextsBenchmark(directory: string): Promise<readonly Figure[]> {
  const [recorded, plain] = await Promise.all([
    openMemory(join(directory, 'recorded.db')),
    openMemory(join(directory, 'plain.db')),
  ])
  const sessions = [recorded, plain].map((memory) => memory.scope('bench/ada').session('s'))
  for (const session of sessions) await session.append([...agentSession(SAID)].flat())
  const before = await Promise.all([recorded, plain].map(async (memory) => (await memory.stats()).bytes))
  const times = sessions.map((): number[] => [])
  const turns = sessions.map((): number[] => [])
  for (let turn = 0; turn < TURNS; turn++)
    for (const [index, session] of sessions.entries()) {
      const began = performance.now()
      await session.append({ role: turn % 2 === 0 ? 'user' : 'assistant', content: `Message ${turn}: go on, please.` })
      times[index]?.push(await timed(session, index === 0))
      turns[index]?.push(performance.now() - began)
    }
  const kept = (await sessions[0]?.contexts({ limit: 1_000 })) ?? []
  const after = await Promise.all([recorded, plain].map(async (memory) => (await memory.stats()).bytes))
  await Promise.all([recorded.close(), plain.close()])
  const grown = after.map((bytes, index) => bytes - (before[index] ?? 0))
  const [withRecord = 0, without = 0] = times.map(median)
  const total = turns.map((each) => each.reduce((sum, ms) => sum + ms, 0))
  return [
    {
      requirement: '[inspector-14]',
      what: 'context() that leaves a record against one that does not, p50',
      value: withRecord / without,
      unit: '×',
      goal: { atMost: 1.1 },
      note: `${withRecord.toFixed(2)} ms, ${without.toFixed(2)} ms; ${kept.length} of ${TURNS} recorded`,
    },
    {
      requirement: '[inspector-14]',
      what: 'append and context() for all turns, with records against without',
      value: (total[0] ?? 0) / (total[1] ?? 1),
      unit: '×',
      goal: { atMost: 1.25 },
      note: `${(total[0] ?? 0).toFixed(0)} ms, ${(total[1] ?? 0).toFixed(0)} ms: writing the records is in it`,
    },
    {
      requirement: '[inspector-14]',
      what: 'bytes of a record in the file',
      value: ((grown[0] ?? 0) - (grown[1] ?? 0)) / Math.max(1, kept.length),
      unit: ' bytes',
      goal: { atMost: 6_000 },
      note: `with ${kept[0]?.messages} messages in the last one`,
    },
  ]
}

async function timed(session: Session, records: boolean): Promise<number> {
  const began = performance.now()
  await session.context({ budget: BUDGET, compact: records })
  return performance.now() - began
}
