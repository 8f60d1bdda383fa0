import type { Memory } from '../src/api/memory.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Server } from '../test/postgres/server.ts'
import { type Figure, median } from './measure.ts'
import { type BenchDatabase, asked, benchDatabase, startBenchServer } from './postgres-server.ts'
import { percentile, question, sentence, timed } from './recall.ts'

const SCOPES = 16
const CALLERS = 32
const MESSAGES_PER_APPEND = 25
const QUESTIONS = 100
const WARM_UP = 16
const STEPS = (process.env['DAYBOOK_BENCH_STEPS'] ?? '12500,25000,50000,100000').split(',').map(Number)

/** [pg-17] How a memory grows on one server, with its tables whole and in parts: what docs/scale.md is made from. */
export async function partitionsBenchmark(): Promise<readonly Figure[]> {
  const server = await startBenchServer()
  try {
    const curves: (readonly Point[])[] = []
    for (const partitions of [1, 4, 16]) curves.push(await grown(server, partitions))
    const last = curves.map((curve) => curve.at(-1))
    const [whole, , sixteen] = last
    return [
      {
        requirement: '[pg-17]',
        what: 'recall p99 with 16 parts, beside whole tables',
        value: (sixteen?.p99 ?? Number.NaN) / (whole?.p99 ?? Number.NaN),
        unit: '×',
        goal: { atMost: 2 },
        note: last.map((point) => `${point?.partitions}: ${point?.p99.toFixed(0)} ms`).join(', '),
      },
      {
        requirement: '[pg-17]',
        what: 'appends with 16 parts, beside whole tables',
        value: (sixteen?.appended ?? Number.NaN) / (whole?.appended ?? Number.NaN),
        unit: '×',
        goal: { atLeast: 0.5 },
        note: last.map((point) => `${point?.partitions}: ${point?.appended.toFixed(0)}/s`).join(', '),
      },
    ]
  } finally {
    await server.stop()
  }
}

interface Point {
  readonly partitions: number
  readonly messages: number
  /** Messages a second. */
  readonly appended: number
  readonly posted: number
  readonly p50: number
  readonly p99: number
  /** Levels of the largest part of two indexes, the root counted. */
  readonly depth: { readonly messages: number; readonly postings: number }
}

async function grown(server: Server, partitions: number): Promise<readonly Point[]> {
  const database = await benchDatabase(server, { partitions })
  const memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
  await asked(database.admin, 'CREATE EXTENSION pageinspect').catch(() => undefined)
  const points: Point[] = []
  for (const [index, messages] of STEPS.entries()) {
    const before = STEPS[index - 1] ?? 0
    const appended = await rate(messages - before, () => append(memory, before, messages))
    const posted = await rate(messages - before, async () => {
      for (let scope = 0; scope < SCOPES; scope++)
        await memory.scope(`bench/${scope}`).recall('anything at all', { fresh: true })
    })
    await asked(database.admin, 'ANALYZE')
    const times: number[] = []
    for (let asking = 0; asking < WARM_UP + QUESTIONS; asking++) {
      const scope = memory.scope(`bench/${asking % SCOPES}`)
      const time = await timed(() => scope.recall(question(asking, messages)))
      if (asking >= WARM_UP) times.push(time)
    }
    const point = {
      partitions,
      messages,
      appended,
      posted,
      p50: median(times),
      p99: percentile(times, 0.99),
      depth: await depths(database),
    }
    points.push(point)
    process.stdout.write(`${JSON.stringify(point)}\n`)
  }
  for (const row of await sizes(database)) process.stdout.write(`${JSON.stringify({ partitions, ...row })}\n`)
  await memory.close()
  return points
}

async function rate(messages: number, work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (messages * 1_000) / (performance.now() - begun)
}

async function append(memory: Memory, from: number, to: number): Promise<void> {
  let next = from
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const session = memory.scope(`bench/${caller % SCOPES}`).session(`s${from}-${caller}`)
      while (next < to) {
        const first = next
        next += MESSAGES_PER_APPEND
        await session.append(
          Array.from({ length: Math.min(MESSAGES_PER_APPEND, to - first) }, (__, index) => ({
            role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
            content: sentence(first + index),
          })),
        )
      }
    }),
  )
}

/** Of the largest part; NaN where the server has no pageinspect. */
async function depths({ admin }: BenchDatabase): Promise<Point['depth']> {
  const depth = async (table: string): Promise<number> => {
    const [row] = await asked<{ depth: number }>(
      admin,
      `SELECT (bt_metap(format('daybook.%I', c.relname))).level + 1 AS depth
        FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class t ON t.oid = i.indrelid
        WHERE i.indisprimary AND c.relkind = 'i' AND t.relname ~ '^${table}(_[0-9]+)?$'
        ORDER BY pg_relation_size(c.oid) DESC LIMIT 1`,
    ).catch(() => [])
    return Number(row?.depth ?? Number.NaN)
  }
  return { messages: await depth('messages'), postings: await depth('recall_postings') }
}

/** Bytes of the heap and of the indexes of each table, all parts together. */
function sizes({ admin }: BenchDatabase): Promise<readonly Record<string, unknown>[]> {
  return asked(
    admin,
    `SELECT regexp_replace(relname, '_[0-9]+$', '') AS table, sum(n_live_tup)::float8 AS rows,
        sum(pg_table_size(relid))::float8 AS heap, sum(pg_indexes_size(relid))::float8 AS indexes
      FROM pg_stat_user_tables WHERE schemaname = 'daybook' GROUP BY 1
      HAVING sum(n_live_tup) > 100 ORDER BY sum(pg_total_relation_size(relid)) DESC`,
  )
}
