import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../src/domain/message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { Child, warm } from '../fault/harness/child.ts'
import { figures, percentile } from '../fault/harness/figures.ts'
import { seeded } from '../fault/harness/seeded.ts'
import { textOfMessage } from '../fault/harness/text.ts'
import { times } from '../tier.ts'
import type { SteadyLine, SteadyTask } from './children/steady-writer.ts'
import { type TestDatabase, databaseOn, freshDatabase } from './database.ts'
import { startProxy } from './proxy.ts'
import { type Server, serverBinaries, startServer } from './server.ts'

const WRITER = new URL('children/steady-writer.ts', import.meta.url)
const PROCESSES = times({ daily: 2, nightly: 8 })
const SESSIONS = times({ daily: 8, nightly: 64 })
const KILLS = times({ daily: 2, nightly: 20 })
const CUT_SHARE = 0.02
/** As it travels: a transaction also begins with a word that has it inside. */
const COMMIT = 'COMMIT\0'
const timeout = times({ daily: 3, nightly: 60 }) * 60_000

describe.skipIf(serverBinaries() === undefined)('a server that is killed and a network that cuts', () => {
  let server: Server
  beforeAll(async () => {
    await warm(WRITER)
    server = await startServer()
  })
  afterAll(() => server?.stop())

  it('[pg-4] [pg-5] [pg-20] lose nothing and double nothing, and leave no gap', { timeout }, async () => {
    const random = seeded()
    await using database = await databaseOn(server.url)
    // The tables first: what is tested is writing, and eight processes that make them at once are tested elsewhere.
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    await using proxy = await startProxy(server.port, (piece) =>
      random.chance(CUT_SHARE) ? { cutAfter: random.below(piece.length) } : 'pass',
    )
    const lines: SteadyLine[] = []
    const recoveries: number[] = []
    let startedAt: number | undefined
    const children = Array.from({ length: PROCESSES }, () => new Child(WRITER, []))
    for (const [index, child] of children.entries()) {
      child.onLine((line) => {
        lines.push(line as SteadyLine)
        if (startedAt !== undefined && 'seq' in (line as SteadyLine)) {
          recoveries.push(performance.now() - startedAt)
          startedAt = undefined
        }
      })
      await child.go({
        name: `writer-${index}`,
        url: proxy.through(database.url),
        postgres: { waitMs: 120_000, connections: 4 },
        sessions: SESSIONS,
      } satisfies SteadyTask)
    }
    for (let kill = 0; kill < KILLS; kill++) {
      await progress(lines, 20 + random.below(200))
      await server.crash()
      await server.start()
      startedAt = performance.now()
    }
    await progress(lines, 100)
    for (const child of children) child.say('stop')
    const codes = await Promise.all(children.map((child) => child.ended))
    expect(codes, children.map((child) => child.errors).join('\n')).toEqual(children.map(() => 0))

    const report = await compare(database, lines)
    figures(`${PROCESSES} processes × ${SESSIONS} sessions`, {
      kills: KILLS,
      cuts: proxy.cuts(),
      acknowledged: lines.filter((line) => 'seq' in line).length,
      'recovery ms p50': percentile(recoveries, 0.5),
      'recovery ms max': Math.max(...recoveries),
      ...Object.fromEntries(Object.entries(report).map(([name, found]) => [name, found.length])),
    })
    expect(report).toEqual({ lost: [], doubled: [], disordered: [], failed: [] })
    expect(proxy.cuts()).toBeGreaterThan(0)
  })
})

describe('a commit whose answer is lost', () => {
  it('[pg-5] is looked up when the server can be asked again: stored once, answered once', async () => {
    await using database = await freshDatabase()
    let cutting = false
    await using proxy = await startProxy(portOf(database), (piece, from) => {
      if (!cutting || from !== 'client' || !piece.includes(COMMIT)) return 'pass'
      cutting = false
      return { cutAfter: piece.length }
    })
    await using memory = await openMemory(proxy.through(database.url), { learn: false, postgres: database.postgres })
    const chat = memory.scope('a').session('s')
    for (let round = 0; round < 5; round++) {
      cutting = true
      expect(await chat.append({ role: 'user', content: `message ${round}` })).toMatchObject([{ seq: round + 1 }])
      expect(cutting).toBe(false)
    }
    expect(proxy.cuts()).toBe(5)
    expect((await chat.history()).map(textOfMessage)).toEqual(Array.from({ length: 5 }, (_, i) => `message ${i}`))
  })

  it('[pg-5] that never reached the server runs again', async () => {
    await using database = await freshDatabase()
    let cutting = false
    await using proxy = await startProxy(portOf(database), (piece, from) => {
      if (!cutting || from !== 'client' || !piece.includes(COMMIT)) return 'pass'
      cutting = false
      return { cutAfter: piece.indexOf(COMMIT) }
    })
    await using memory = await openMemory(proxy.through(database.url), { learn: false, postgres: database.postgres })
    const chat = memory.scope('a').session('s')
    for (let round = 0; round < 5; round++) {
      cutting = true
      expect(await chat.append({ role: 'user', content: `message ${round}` })).toMatchObject([{ seq: round + 1 }])
    }
    expect(proxy.cuts()).toBe(5)
    expect(await chat.history()).toHaveLength(5)
  })

  it('[pg-5] [pg-16] is said to be unknown when nobody can be asked in time, never guessed', async () => {
    await using database = await freshDatabase()
    let cutting = false
    await using proxy = await startProxy(portOf(database), (piece, from) => {
      if (!cutting || from !== 'client' || !piece.includes(COMMIT)) return 'pass'
      // From here on the server is out of reach.
      queueMicrotask(() => proxy.shut())
      return { cutAfter: piece.length }
    })
    const postgres = { ...database.postgres, waitMs: 300 }
    await using memory = await openMemory(proxy.through(database.url), { learn: false, postgres })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'first', id: 'm1' })
    cutting = true
    const append = (): Promise<readonly Message[]> =>
      chat.append({ role: 'user', content: 'second', id: 'm2' }, { operationId: 'once' })
    await expect(append()).rejects.toMatchObject({ code: 'store/unknown' })
    await expect(chat.history()).rejects.toMatchObject({ code: 'store/unavailable' })
    cutting = false
    proxy.reopen()
    expect(await append()).toMatchObject([{ id: 'm2', seq: 2 }])
    expect(await chat.history()).toHaveLength(2)
  })
})

/** Waits until so many more lines have come. */
async function progress(lines: readonly SteadyLine[], more: number): Promise<void> {
  for (const wanted = lines.length + more; lines.length < wanted;) await setTimeout(10)
}

interface Comparison {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly disordered: readonly string[]
  readonly failed: readonly string[]
}

async function compare(database: TestDatabase, lines: readonly SteadyLine[]): Promise<Comparison> {
  await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
  const stored = new Map<string, readonly Message[]>()
  const disordered: string[] = []
  const doubled: string[] = []
  for (const session of new Set(lines.map((line) => line.session))) {
    const history = await memory.scope('acme/ada').session(session).history({ limit: 1_000_000 })
    stored.set(session, history)
    const last = new Map<string, number>()
    const seen = new Set<string>()
    for (const [index, message] of history.entries()) {
      const text = textOfMessage(message)
      const [name = '', , number] = text.split(' ')
      if (message.seq !== index + 1) disordered.push(`${session} has ${message.seq} at ${index + 1}`)
      if (seen.has(text)) doubled.push(text)
      // One writer waits for each answer before it goes on: its messages stand in that order.
      if ((last.get(name) ?? -1) > Number(number)) disordered.push(`${session}: ${text} after ${last.get(name)}`)
      last.set(name, Number(number))
      seen.add(text)
    }
  }
  const acknowledged = lines.filter((line) => 'seq' in line)
  const lost = acknowledged
    .filter(({ session, seq, text }) => textOfMessage(stored.get(session)?.[seq - 1] ?? { parts: [] }) !== text)
    .map(({ session, seq, text }) => `${session} ${seq}: ${text}`)
  const failed = lines.flatMap((line) => ('error' in line ? [line.error] : []))
  const { ok, damage } = await memory.verify()
  return { lost, doubled, disordered: ok ? disordered : [...disordered, JSON.stringify(damage)], failed }
}

function portOf({ url }: TestDatabase): number {
  return Number(new URL(url).port)
}
