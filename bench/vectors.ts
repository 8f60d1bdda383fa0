import { join } from 'node:path'
import type { Embedder } from '../src/ports/embedder.ts'
import type { PassageSource } from '../src/recall/vectors/passage-source.ts'
import { similarity } from '../src/recall/vectors/similarity.ts'
import { Vectors } from '../src/recall/vectors/vectors.ts'
import { openSqliteStore } from '../src/stores/sqlite/store.ts'
import { type Figure, median } from './measure.ts'

const COUNT = 100_000
const DIMENSIONS = 384
const TOPICS = 300
const QUERIES = 100
const LIMIT = 10
const SCOPE = 'bench/ada'

/** [recall-9] The ten nearest of 100,000 vectors in a file, beside a scan of 32-bit floats in plain JavaScript in the same run. */
export async function vectorsBenchmark(directory: string): Promise<readonly Figure[]> {
  const random = seeded(7)
  const topics = Array.from({ length: TOPICS }, () => unit(Array.from({ length: DIMENSIONS }, () => gaussian(random))))
  const near = (): Float32Array => {
    const topic = topics[Math.floor(random() * TOPICS)] ?? new Float32Array(DIMENSIONS)
    return unit(Array.from(topic, (value) => value + (0.8 * gaussian(random)) / Math.sqrt(DIMENSIONS)))
  }
  const passages = Array.from({ length: COUNT }, near)
  const queries = Array.from({ length: QUERIES }, near)
  const store = await openSqliteStore(join(directory, 'vectors.db'), Date.now)
  const vectors = new Vectors({
    store: store.vectors,
    source: sourceOf(passages.length),
    embedders: [byNumber(passages, queries)],
    random,
    limits: { batch: 1_000 },
  })
  const posted = await timed(() => vectors.post())
  const search = (query: number): ReturnType<Vectors['search']> =>
    vectors.search({ scopes: [SCOPE, 'bench'], text: `q${query}`, limit: LIMIT, deadlineMs: 60_000 })
  const first = await timed(() => search(0))
  const ours: number[] = []
  const plain: number[] = []
  let found = 0
  for (const [index, query] of queries.entries()) {
    const { value, ms } = await timed(() => search(index))
    ours.push(ms)
    const exact = await timed(async () => nearestPlain(passages, query))
    plain.push(exact.ms)
    found += value.hits.filter(({ passage }) => exact.value.has(Number(passage.slice(1)))).length
  }
  const { bytes } = vectors.resident
  await store.close()
  const p99 = ours.toSorted((a, b) => a - b)[Math.floor(ours.length * 0.99)] ?? Number.NaN
  const what = `${COUNT.toLocaleString('en')} vectors of ${DIMENSIONS}`
  return [
    {
      requirement: '[recall-9]',
      what: `nearest ${LIMIT} of ${what}, p50`,
      value: median(ours),
      unit: ' ms',
      goal: { atMost: 10 },
      note: `p99 ${p99.toFixed(1)} ms; plain JavaScript float32 p50 ${median(plain).toFixed(1)} ms; first ${first.ms.toFixed(0)} ms with reading the file; posted ${(COUNT / (posted.ms / 1_000)).toFixed(0)}/s; ${(bytes / 1e6).toFixed(0)} MB in memory`,
    },
    {
      requirement: '[recall-9]',
      what: `recall@${LIMIT} of ${what}`,
      value: found / (QUERIES * LIMIT),
      unit: '',
      goal: { atLeast: 0.99 },
      note: `against all cosines in 32-bit floats`,
    },
  ]
}

function sourceOf(count: number): PassageSource {
  return {
    scopes: async ({ after }) => (after === undefined ? [SCOPE] : []),
    passages: async (_, { after, limit }) =>
      Array.from({ length: Math.max(0, Math.min(limit, count - after)) }, (__, index) => {
        const position = after + index + 1
        return { key: `p${position - 1}`, text: `p${position - 1}`, position, isOriginal: true }
      }),
  }
}

/** Knows every vector beforehand: what is measured is not a model. */
function byNumber(passages: readonly Float32Array[], queries: readonly Float32Array[]): Embedder {
  return {
    name: 'bench',
    dimensions: DIMENSIONS,
    embed: async ({ texts }) => ({
      vectors: texts.map(
        (text) => (text.startsWith('p') ? passages : queries)[Number(text.slice(1))] ?? new Float32Array(DIMENSIONS),
      ),
    }),
  }
}

function nearestPlain(passages: readonly Float32Array[], query: Float32Array): ReadonlySet<number> {
  const scores = Float64Array.from(passages, (values) => similarity(query, values))
  const best: number[] = []
  for (const [index, score] of scores.entries()) {
    if (best.length === LIMIT && score <= (scores[best[LIMIT - 1] ?? 0] ?? 0)) continue
    best.push(index)
    best.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    best.length = Math.min(best.length, LIMIT)
  }
  return new Set(best)
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }> {
  const start = performance.now()
  const value = await work()
  return { value, ms: performance.now() - start }
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
