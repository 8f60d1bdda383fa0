import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { warm } from '../fault/harness/child.ts'
import { figures, percentile } from '../fault/harness/figures.ts'
import { times } from '../tier.ts'
import { databaseOn } from './database.ts'
import { type Member, TTL_S, hasPatroni, startCluster } from './patroni.ts'
import { WRITER, Writers, compare, counts } from './writers.ts'

/** At night. By hand: `DAYBOOK_KILLS=2 npm run test:fault -- test/postgres/patroni.test.ts`. */
const KILLS = Number(process.env['DAYBOOK_KILLS'] ?? times({ daily: 0, nightly: 20 }))
const PROCESSES = 8
const SESSIONS = 4
const READ_EVERY_MS = 50
const WAIT_MS = 180_000

const runs = hasPatroni && KILLS > 0

beforeAll(() => (runs ? warm(WRITER) : undefined))

it.skipIf(!runs)(
  `[anywhere-24] a cluster of Patroni loses no acknowledged message and doubles none, whenever its leader is killed`,
  { timeout: (2 + KILLS * 3) * 60_000 },
  async () => {
    await using cluster = await startCluster()
    const first = await cluster.leader(2)
    const { url, postgres } = await databaseOn(first.url)
    await (await openMemory(url, { learn: false, postgres })).close()
    const all = url.replace(`:${first.port}/`, `:${cluster.members.map(({ port }) => port).join(',127.0.0.1:')}/`)
    await using writers = await Writers.start({
      processes: PROCESSES,
      sessions: SESSIONS,
      url: all,
      postgres: { waitMs: WAIT_MS, statementMs: 5_000, connections: 2 },
    })
    await writers.progress(100)
    await using readers = await startReaders(all, url.replace(`:${first.port}/`, ':PORT/'), cluster.members)
    const pauses: number[] = []
    let read = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const leader = await cluster.leader(2)
      await writers.progress(100)
      const killedAt = Date.now()
      await leader.kill()
      await cluster.leader(1)
      await writers.progress(100)
      pauses.push(Math.max(...writers.recovery(killedAt)))
      for (const member of cluster.members) {
        if (member === leader) continue
        const { reads, failures } = readers.between(member, killedAt, Date.now())
        expect(failures, `reads on ${member.name} after ${leader.name} was killed`).toEqual([])
        expect(reads, `reads on ${member.name} after ${leader.name} was killed`).toBeGreaterThan(0)
        read += reads
      }
      figures(`kill ${kill + 1}, of ${leader.name}`, { 'ms until all processes write again': pauses.at(-1) ?? 0 })
      leader.start()
    }
    await cluster.leader(2)
    await writers.stop()
    const found = await compare(all, writers.lines)
    figures(`${PROCESSES} processes × ${SESSIONS} sessions, ${KILLS} kills of a leader, ttl ${TTL_S} s`, {
      acknowledged: writers.lines.length,
      'reads on the others meanwhile': read,
      'ms of a pause, p50': percentile(pauses, 0.5),
      'longest pause, ms': Math.max(...pauses),
      ...counts(found),
    })
    expect(found).toMatchObject({ lost: [], doubled: [], disordered: [], denied: [] })
  },
)

interface Readers extends AsyncDisposable {
  /** What came of the reads on a member that ended in an interval. */
  between(member: Member, from: number, to: number): { readonly reads: number; readonly failures: readonly string[] }
}

/** Reads from each member, all the time, as a program does that names it as its replica. */
async function startReaders(all: string, template: string, members: readonly Member[]): Promise<Readers> {
  const ended = new Map(members.map((member) => [member, [] as { at: number; failure: string | undefined }[]]))
  let stopped = false
  const opened = await Promise.all(
    members.map((member) => {
      const replica = template.replace('PORT', String(member.port))
      return openMemory(all, { learn: false, postgres: { replica, waitMs: WAIT_MS, connections: 2 } })
    }),
  )
  const loops = [...ended.values()].map(async (lines, index) => {
    await using memory = opened[index] as Memory
    const chat = memory.scope('acme/ada').session('session-0')
    while (!stopped) {
      const failure = await chat.history({ limit: 5, stale: true }).then(
        () => undefined,
        (error: unknown) => String(error),
      )
      lines.push({ at: Date.now(), failure })
      await setTimeout(READ_EVERY_MS)
    }
  })
  const finished = Promise.all(loops)
  finished.catch(() => undefined)
  return {
    between: (member, from, to) => {
      const lines = (ended.get(member) ?? []).filter(({ at }) => at >= from && at <= to)
      const failures = lines.flatMap(({ failure }) => (failure === undefined ? [] : [failure]))
      return { reads: lines.length - failures.length, failures }
    },
    [Symbol.asyncDispose]: async () => {
      stopped = true
      await finished
    },
  }
}
