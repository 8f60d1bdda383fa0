import pg from 'pg'
import { endAttempt } from '../src/jobs/end-attempt.ts'
import { enqueueFound } from '../src/jobs/enqueue-found.ts'
import type { NewMessage } from '../src/domain/new-message.ts'
import type { Session } from '../src/api/session.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { openPostgresStore } from '../src/stores/postgres/store.ts'
import type { Server } from '../test/postgres/server.ts'
import { type Figure, median } from './measure.ts'
import { type BenchDatabase, benchDatabase, startBenchServer } from './postgres-server.ts'
import { fill, percentile, question, sentence, sentences, timed } from './recall.ts'

const ROUNDS = 3
const ROUND_MS = 2_000
const CONNECTIONS = 10
const TEXT = 'My order 7731 is late, again, and nobody answers the telephone. '.repeat(5)
const QUESTIONS = 200
const WARM_UP = 20
/** 10⁶ take minutes to append and to post, and 3 GB on disk: only on request. */
const SIZES = process.env['DAYBOOK_BENCH_LARGE'] === '1' ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]

/** [pg-23] The memory on PostgreSQL beside bare `pg` that inserts the same rows, in one run on one server. */
export async function postgresBenchmark(): Promise<readonly Figure[]> {
  const server = await startBenchServer()
  try {
    return [
      ...(await appends(server)),
      await windows(server),
      await listening(server),
      await jobs(server),
      ...(await recalls(server)),
    ]
  } finally {
    await server.stop()
  }
}

interface Round {
  readonly rate: number
  readonly times: readonly number[]
}

async function appends(server: Server): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const callers of [1, 8, 64]) {
    const [bare, ours]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      const database = await benchDatabase(server)
      ours.push(await ourRound(database, callers))
      bare.push(await bareRound(database, callers))
    }
    const told = (side: readonly Round[]): string => {
      const times = side.flatMap((round) => round.times)
      const rate = median(side.map((round) => round.rate))
      return `${rate.toFixed(0)}/s, p50 ${median(times).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)} ms`
    }
    figures.push({
      requirement: '[pg-23]',
      what: `append on PostgreSQL, ${callers} callers`,
      value: median(ours.map(({ rate }, round) => rate / (bare[round]?.rate ?? Number.NaN))),
      unit: '×',
      goal: { atLeast: callers === 1 ? 0.3 : callers === 8 ? 0.5 : 1 },
      note: `${told(ours)}; bare pg ${told(bare)}`,
    })
  }
  return figures
}

async function ourRound({ url, postgres }: BenchDatabase, callers: number): Promise<Round> {
  const memory = await openMemory(url, { learn: false, postgres: { ...postgres, connections: CONNECTIONS } })
  const sessions = Array.from({ length: callers }, (_, caller) => memory.scope('bench/ada').session(`s${caller}`))
  for (const session of sessions) await session.append({ role: 'user', content: 'warm' })
  const round = await rated(sessions, (session: Session) => session.append({ role: 'user', content: TEXT }))
  await memory.close()
  return round
}

/**
 * The row of the message and that of its session in one statement and one round trip, committed by itself: the least that a
 * program could do for the same rows. It makes no ids, hashes, conditions or retries.
 */
const INSERT = {
  name: 'bare',
  text: `WITH stored AS (
      INSERT INTO daybook.messages (scope, session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body)
      VALUES ('bench/ada', $1, $2::bigint, $2::bigint, $3, 'user', $4, $4, 80, 'estimate', $5, $6, $6, $7))
    UPDATE daybook.sessions SET last_seq = $2::bigint, version = $2::bigint, updated_at = $4, head = $6
      WHERE scope = 'bench/ada' AND key = $1`,
}
const [SALT, DIGEST] = [Buffer.alloc(16, 7), Buffer.alloc(32, 7)]

async function bareRound({ admin }: BenchDatabase, callers: number): Promise<Round> {
  const pool = new pg.Pool({ connectionString: admin, max: CONNECTIONS })
  const { rows } = await pool.query<{ key: string; last: string }>(
    `SELECT key, last_seq AS last FROM daybook.sessions ORDER BY key LIMIT ${callers}`,
  )
  const body = JSON.stringify({ parts: [{ type: 'text', text: TEXT }] })
  const heads = rows.map(({ key, last }) => ({ key, seq: Number(last) }))
  const round = await rated(heads, (head) => {
    const seq = ++head.seq
    const id = `019a0000-0000-7000-8000-${String(seq).padStart(12, '0')}`
    return pool.query({ ...INSERT, values: [head.key, seq, id, Date.now(), SALT, DIGEST, body] })
  })
  await pool.end()
  return round
}

async function rated<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<Round> {
  const times: number[] = []
  const begun = performance.now()
  await Promise.all(
    items.map(async (item) => {
      while (performance.now() < begun + ROUND_MS) times.push(await timed(() => work(item)))
    }),
  )
  return { rate: (times.length * 1_000) / (performance.now() - begun), times }
}

/** A window of about 50 entries after 5,000 messages of which a compaction left what it keeps, beside the bare query for the newest 50. */
async function windows(server: Server): Promise<Figure> {
  const { url, postgres, admin } = await benchDatabase(server)
  const memory = await openMemory(url, { learn: false, postgres })
  const chat = memory.scope('bench/ada').session('s')
  const page = (size: number): NewMessage[] =>
    Array.from({ length: size }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: sentence(index),
    }))
  for (let done = 0; done < 5_000; done += 1_000) await chat.append(page(1_000))
  await chat.compact({ force: true, policy: 'rolling' })
  await chat.append(page(20))
  const client = new pg.Client(admin)
  await client.connect()
  const bare = {
    name: 'window',
    text: `SELECT * FROM daybook.messages WHERE scope = 'bench/ada' AND session = $1 AND seq > 4970 ORDER BY seq`,
    values: [(await client.query<{ key: string }>('SELECT key FROM daybook.sessions')).rows[0]?.key],
  }
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let index = 0; index < WARM_UP + QUESTIONS; index++) {
    const [ours, plain] = [await timed(() => chat.window()), await timed(() => client.query(bare))]
    if (index < WARM_UP) continue
    times.ours.push(ours)
    times.bare.push(plain)
  }
  const shown = (await chat.window()).length
  await client.end()
  await memory.close()
  return {
    requirement: '[pg-23]',
    what: `window of ${shown} entries of 5,020 messages, p99`,
    value: percentile(times.ours, 0.99),
    unit: ' ms',
    goal: { atMost: 50 },
    note: `p50 ${median(times.ours).toFixed(1)} ms; bare query p50 ${median(times.bare).toFixed(1)}, p99 ${percentile(times.bare, 0.99).toFixed(1)} ms: ${(median(times.ours) / median(times.bare)).toFixed(1)}×`,
  }
}

/** From an append that begins in one memory to its message in the watch of another. */
async function listening(server: Server): Promise<Figure> {
  const { url, postgres } = await benchDatabase(server)
  const one = await openMemory(url, { learn: false, postgres })
  const other = await openMemory(url, { learn: false, postgres })
  const chat = one.scope('bench/ada').session('s')
  await chat.append({ role: 'user', content: 'warm' })
  const watched = other.scope('bench/ada').session('s').watch({ after: 1 })
  const [whole, behind]: [number[], number[]] = [[], []]
  for (let index = 0; index < WARM_UP + QUESTIONS; index++) {
    const begun = performance.now()
    const next = watched.next()
    await chat.append({ role: 'user', content: TEXT })
    const stored = performance.now()
    await next
    if (index < WARM_UP) continue
    whole.push(performance.now() - begun)
    behind.push(Math.max(0, performance.now() - stored))
  }
  await watched.return?.()
  await one.close()
  await other.close()
  return {
    requirement: '[pg-23]',
    what: 'from append to the watch of another process, p99',
    value: percentile(whole, 0.99),
    unit: ' ms',
    goal: { atMost: 200 },
    note: `p50 ${median(whole).toFixed(1)} ms; after the append was acknowledged p50 ${median(behind).toFixed(1)}, p99 ${percentile(behind, 0.99).toFixed(1)} ms`,
  }
}

const JOBS = 1_000

/** Claimed ten at a time and ended one by one, each durable, by four workers. */
async function jobs(server: Server): Promise<Figure> {
  const { url, postgres } = await benchDatabase(server)
  const store = await openPostgresStore(url, postgres, Date.now, () => undefined)
  for (let index = 0; index < JOBS; index++) {
    const job = { id: `j${index}`, kind: 'chore', scope: `a/${index % 7}`, subject: `s${index}` }
    await enqueueFound(store.jobs, { ...job, mark: 1, payload: null }, JOBS)
  }
  const begun = performance.now()
  const ended = await Promise.all(
    Array.from({ length: 4 }, async (_, worker) => {
      for (let done = 0; ;) {
        const some = await store.jobs.claim({
          kind: 'chore',
          owner: `w${worker}`,
          leaseMs: 60_000,
          except: [],
          limit: 10,
        })
        if (some.length === 0) return done
        for (const job of some) await endAttempt(store.jobs, job, { type: 'done', result: null })
        done += some.length
      }
    }),
  )
  const rate = (ended.reduce((sum, done) => sum + done, 0) * 1_000) / (performance.now() - begun)
  await store.close()
  return {
    requirement: '[pg-23]',
    what: 'jobs claimed and ended, four workers',
    value: rate,
    unit: '/s',
    goal: { atLeast: 100 },
    note: `${ended.join(' + ')} of ${JOBS}`,
  }
}

async function recalls(server: Server): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const size of SIZES) {
    const { url, postgres } = await benchDatabase(server)
    const memory = await openMemory(url, { learn: false, postgres })
    const scope = memory.scope('bench/ada')
    const filling = performance.now()
    await fill(scope, sentences(size))
    const posting = performance.now()
    await scope.recall('anything at all', { fresh: true })
    const posted = performance.now()
    const times: number[] = []
    for (let index = 0; index < WARM_UP + QUESTIONS; index++) {
      const time = await timed(() => scope.recall(question(index, size)))
      if (index >= WARM_UP) times.push(time)
    }
    await memory.close()
    figures.push({
      requirement: '[pg-23]',
      what: `recall over ${size} messages on PostgreSQL, p99`,
      value: percentile(times, 0.99),
      unit: ' ms',
      goal: { atMost: 500 },
      note: `p50 ${median(times).toFixed(1)} ms; filled ${((size * 1_000) / (posting - filling)).toFixed(0)}/s, posted ${((size * 1_000) / (posted - posting)).toFixed(0)}/s`,
    })
  }
  return figures
}
