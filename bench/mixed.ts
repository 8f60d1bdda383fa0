import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Memory } from '../src/api/memory.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { serve } from '../src/server/serve.ts'
import { type Answered, httpLoad, type LoadRequest } from './http-load.ts'
import { type Figure, median } from './measure.ts'

/** Ten minutes each night (`DAYBOOK_TIER=nightly`). */
const LOAD_MS = process.env['DAYBOOK_TIER'] === 'nightly' ? 600_000 : 15_000
const ALONE_MS = 4_000
const CONNECTIONS = 64
const SAMPLE_MS = 250
const SCOPE = '/v1/scopes/bench%2Fada'
const TEXT = 'My order 7731 is late, again, and nobody answers the telephone. '.repeat(5)

const request = (name: string, path: string, body: object): LoadRequest => ({
  name,
  path: `${SCOPE}${path}`,
  body: JSON.stringify(body),
})
const append = request('append', '/sessions/mixed-N/messages', { messages: { role: 'user', content: TEXT } })
const recall = request('recall', '/recall', { query: 'what did the invoice of Tuesday 42 say?' })
const context = request('context', '/sessions/long/context', { budget: 4_000 })
const remember = request('remember', '/facts', { facts: { subject: 'Ada', predicate: 'likes', object: 'tea' } })
/** What agents do: they mostly append. */
const MIX = [append, recall, append, append, context, append, append, remember, append, append]

/** [walls-222] 64 connections of mixed work: memory, the slowest recalls, and a quiet key beside a noisy one. */
export async function mixedBenchmark(directory: string): Promise<readonly Figure[]> {
  await using memory = await openMemory(join(directory, 'mixed.db'), { learn: false })
  await fill(memory)
  const noisy = await memory.keys.create({ scope: 'bench', can: ['read', 'write'] })
  const quiet = await memory.keys.create({ scope: 'bench', can: ['read', 'write'] })
  const server = await serve(memory, { port: 0, limits: { ratePerSecond: 1e6 } })
  const port = Number(new URL(server.url).port)
  try {
    const ask = { port, token: quiet.token, connections: 1, ms: ALONE_MS }
    const lone = await httpLoad({ ...ask, requests: [recall] })
    const calm = { ...ask, requests: [append, recall], pauseMs: 5 }
    const alone = await httpLoad(calm)
    const crowd = httpLoad({
      ...ask,
      token: noisy.token,
      connections: CONNECTIONS,
      ms: LOAD_MS,
      requests: MIX,
      greedy: true,
    })
    const sampled = rssWhile(crowd)
    await setTimeout(1_000)
    const beside = await httpLoad({ ...calm, ms: LOAD_MS - 2_000 })
    return figures({ lone, alone, beside, mixed: await crowd, rss: await sampled })
  } finally {
    await server.close()
  }
}

async function fill(memory: Memory): Promise<void> {
  const words = ['order', 'late', 'parcel', 'Berlin', 'invoice', 'refund', 'Tuesday', 'bicycle', 'garden', 'report']
  const say = (batch: number, index: number): string =>
    `${words[index % 10]} ${batch} ${words[(index * 7) % 10]} number ${index}`
  for (let batch = 0; batch < 10; batch++)
    await memory
      .scope('bench/ada')
      .session(batch === 0 ? 'long' : `s${batch}`)
      .append(Array.from({ length: 1_000 }, (_, index) => ({ role: 'user' as const, content: say(batch, index) })))
  await memory.scope('bench/ada').session('long').context({ budget: 4_000 })
  await memory.scope('bench/ada').recall('warm', { fresh: true })
}

/** Resident memory of this process, which is the server, in MB. */
async function rssWhile(work: Promise<unknown>): Promise<readonly number[]> {
  const samples: number[] = []
  const ended = work.then(() => true)
  do samples.push(process.memoryUsage.rss() / 1_048_576)
  while (!(await Promise.race([ended, setTimeout(SAMPLE_MS, false)])))
  return samples
}

interface Measured {
  readonly lone: Answered
  readonly alone: Answered
  readonly beside: Answered
  readonly mixed: Answered
  readonly rss: readonly number[]
}

function figures({ lone, alone, beside, mixed, rss }: Measured): readonly Figure[] {
  const quarter = (nth: number): number => median(rss.slice((rss.length * nth) / 4, (rss.length * (nth + 1)) / 4))
  const requirement = '[walls-222]'
  const slowest = mixed.byName['recall']?.p99 ?? Number.NaN
  const rates = Object.entries(mixed.byName).map(([name, { rate }]) => `${name} ${rate.toFixed(0)}/s`)
  return [
    {
      requirement,
      what: `memory of the server after ${LOAD_MS / 1_000} s with ${CONNECTIONS} connections of mixed work, last quarter against the second`,
      value: quarter(3) / quarter(1),
      unit: '×',
      goal: { atMost: 1.1 },
      note: `${rss[0]?.toFixed(0)} MB at the start, ${quarter(1).toFixed(0)} → ${quarter(3).toFixed(0)} MB; ${rates.join(', ')}`,
    },
    {
      requirement,
      what: `recall p99 of ${CONNECTIONS} connections of mixed work, against the p50 of a lone caller`,
      value: slowest / lone.p50,
      unit: '×',
      goal: { atMost: 20 },
      note: `${lone.p50.toFixed(1)} → ${slowest.toFixed(1)} ms`,
    },
    {
      requirement,
      what: 'p99 of a quiet key beside that one, against alone',
      value: beside.p99 / alone.p99,
      unit: '×',
      goal: { atMost: 5 },
      note: `p99 ${alone.p99.toFixed(1)} → ${beside.p99.toFixed(1)} ms, p50 ${alone.p50.toFixed(1)} → ${beside.p50.toFixed(1)} ms`,
    },
  ]
}
