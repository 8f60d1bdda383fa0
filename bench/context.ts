import { join } from 'node:path'
import type { NewMessage } from '../src/domain/new-message.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Session } from '../src/api/session.ts'
import { agentSession } from './agent-session.ts'
import { type Figure, median } from './measure.ts'

/** A million takes about ten minutes on two busy cores: `DAYBOOK_BENCH_MESSAGES=1000,1000000`. */
const SIZES = (process.env['DAYBOOK_BENCH_MESSAGES'] ?? '1000,20000').split(',').map(Number)
/** A session that is longer is not compacted all the way, which would take hours: what is before its last messages is cleared. */
const COMPACTED_MAX = 100_000
const BUDGET = 32_000
const MESSAGES_PER_APPEND = 1_000
const READS = 200
const OPENINGS = 15

/**
 * [prove-4] [ctx-9] [contexts-77] Contexts of a short session and of longer ones, with windows of about the same size. Read in turns in
 * one process: after each message, as an agent does, and as the first thing after opening the file.
 */
export async function contextBenchmark(directory: string): Promise<readonly Figure[]> {
  const files = SIZES.map((size) => join(directory, `context-${size}.db`))
  const memories = await Promise.all(files.map((file) => openMemory(file)))
  const sessions = memories.map((memory) => memory.scope('bench/ada').session('s', { description: 'You are terse.' }))
  for (const [index, session] of sessions.entries()) await fill(session, SIZES[index] ?? 0)
  const warm = SIZES.map((): number[] => [])
  for (let read = 0; read < READS; read++) {
    for (const [index, session] of sessions.entries()) {
      await session.append({ role: read % 2 === 0 ? 'user' : 'assistant', content: `Message ${read}: go on, please.` })
      warm[index]?.push((await timed(session)).ms)
    }
  }
  const windows = await Promise.all(sessions.map(async (session) => (await timed(session)).told))
  for (const memory of memories) await memory.close()
  const cold = SIZES.map((): number[] => [])
  for (let opening = 0; opening < OPENINGS; opening++)
    for (const [index, file] of files.entries()) cold[index]?.push(await timedAfterOpening(file))
  return [
    ...ratios('context() after each message', warm, windows),
    {
      requirement: '[ctx-9]',
      what: `context() after each message, p50 at ${SIZES.at(-1)?.toLocaleString('en')} messages`,
      value: median(warm.at(-1) ?? []),
      unit: ' ms',
      goal: { atMost: 5 },
      note: `budget ${BUDGET.toLocaleString('en')} tokens, counts stored`,
    },
    ...ratios('context() as the first call after opening', cold, windows)
      .slice(-1)
      .map((figure) => ({ ...figure, requirement: '[contexts-77]', goal: { atMost: 1.2 } })),
  ]
}

/** Each of the longer sessions against the shortest. */
function ratios(what: string, times: readonly (readonly number[])[], windows: readonly string[]): readonly Figure[] {
  const [few = Number.NaN, ...more] = times.map(median)
  return more.map((many, index) => ({
    requirement: '[prove-4]',
    what: `${what}, ${SIZES[index + 1]?.toLocaleString('en')} messages against 1,000`,
    value: many / few,
    unit: '×',
    goal: { atMost: 1.5 },
    note: `p50 ${many.toFixed(2)} ms (${windows[index + 1]}), ${few.toFixed(2)} ms (${windows[0]})`,
  }))
}

/** Appends an agent's session and asks for a context after every thousand messages, so that it is compacted as it grows. */
async function fill(session: Session, count: number): Promise<void> {
  let [stored, batch]: [number, NewMessage[]] = [0, []]
  const flush = async (): Promise<void> => {
    await session.append(batch)
    stored += batch.length
    batch = []
    const left = count - stored
    if (count <= COMPACTED_MAX || left < MESSAGES_PER_APPEND) await session.context({ budget: BUDGET })
    else if (left < 2 * MESSAGES_PER_APPEND) await session.clear({ keepSystem: true })
  }
  const turns = agentSession({ seed: 3, turns: count, roundsMax: 2, resultCharacters: [150, 150] })
  for (const turn of turns) {
    if (batch.length + turn.length > Math.min(MESSAGES_PER_APPEND, count - stored)) {
      await flush()
      if (stored + turn.length > count) return
    }
    batch.push(...turn)
  }
}

async function timed(session: Session): Promise<{ readonly ms: number; readonly told: string }> {
  const start = performance.now()
  const { messages, tokens } = await session.context({ budget: BUDGET })
  return { ms: performance.now() - start, told: `${messages.length} messages, ${tokens} tokens` }
}

/** Processor time, read-only: posting a long session to the index goes on for long after it was filled, and would be measured too. */
async function timedAfterOpening(file: string): Promise<number> {
  const memory = await openMemory(file, { readOnly: true })
  const before = process.cpuUsage()
  await memory.scope('bench/ada').session('s').context({ budget: BUDGET })
  const { user, system } = process.cpuUsage(before)
  await memory.close()
  return (user + system) / 1_000
}
