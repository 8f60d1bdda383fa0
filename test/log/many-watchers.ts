import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Message } from '../../src/domain/message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import type { LogStore } from '../../src/ports/log-store.ts'
import type { RecallStore } from '../../src/ports/recall-store.ts'
import type { Store } from '../../src/ports/store.ts'

/** What was asked of the log. */
interface Asked {
  /** How often a session's end was read. */
  heads: number
  /** How many messages. */
  rows: number
}

/** A memory on a store whose log is counted. */
async function counted(store: Store<'stored'>): Promise<{ readonly memory: Memory; readonly asked: Asked }> {
  const asked: Asked = { heads: 0, rows: 0 }
  const log: LogStore<'stored'> = {
    ...store.log,
    session: (scope, session) => {
      asked.heads += 1
      return store.log.session(scope, session)
    },
    messages: async (query) => {
      const rows = await store.log.messages(query)
      asked.rows += rows.length
      return rows
    },
  }
  // The index reads messages too, when it comes to it: here it never has anything to do.
  const recall: RecallStore = { ...store.recall, behind: async () => [] }
  return { memory: await openMemoryWith({ ...store, log, recall }, { learn: false }), asked }
}

const say = (memory: Memory, session: string, count = 1): Promise<unknown> =>
  memory
    .scope('a')
    .session(session)
    .append(Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `message ${index}` })))

/** Of many who wait, only those whose session has moved look at the log; and all see all. */
export async function wakesWhoHasSomethingToRead(store: Store<'stored'>): Promise<void> {
  const { memory, asked } = await counted(store)
  const ended = new AbortController()
  const seen = new Map<string, number[]>()
  const sessions = Array.from({ length: 150 }, (_, index) => `s${index}`)
  const following = sessions.map(async (session) => {
    const own: number[] = []
    seen.set(session, own)
    for await (const { seq } of memory.scope('a').session(session).watch({ after: 0, signal: ended.signal }))
      own.push(seq)
  })
  const until = async (session: string, count: number): Promise<void> => {
    while ((seen.get(session)?.length ?? 0) < count) await setTimeout(1)
  }
  await say(memory, 's0')
  await until('s0', 1)
  // Whoever has just begun to wait is woken once; after that, only for its own session.
  while (asked.heads < sessions.length) await setTimeout(1)
  await say(memory, 's1')
  await until('s1', 1)
  const before = asked.heads
  for (let round = 2; round <= 21; round++) {
    await say(memory, 's0')
    await until('s0', round)
  }
  // An append reads no head of this kind; a look of its own for each of all would be 3,000.
  expect(asked.heads - before).toBeLessThan(400)
  for (const session of sessions.slice(2)) await say(memory, session, 3)
  for (const session of sessions.slice(2)) await until(session, 3)
  ended.abort()
  await Promise.all(following)
  for (const session of sessions.slice(2)) expect(seen.get(session)).toEqual([1, 2, 3])
  expect(seen.get('s0')).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  await memory.close()
}

/** Who reads slowly holds a page of the log, however much is appended meanwhile; nothing is missed, doubled or out of order. */
export async function holdsAPageForASlowReader(store: Store<'stored'>): Promise<void> {
  const { memory, asked } = await counted(store)
  const watches = Array.from({ length: 12 }, () => memory.scope('a').session('s').watch({ after: 0 }))
  await say(memory, 's', 500)
  const first = await Promise.all(watches.map((watch) => watch.next()))
  expect(first.map(({ value }) => value?.seq)).toEqual(watches.map(() => 1))
  const before = asked.rows
  for (let round = 0; round < 20; round++) await say(memory, 's', 100)
  await setTimeout(50)
  // What was appended rang for each of them twenty times, and none of them has read a row more.
  expect(asked.rows).toBe(before)
  expect(before).toBeLessThanOrEqual(watches.length * 256)
  const rest = await Promise.all(
    watches.map(async (watch) => {
      const seqs: number[] = []
      for await (const { seq } of watch as AsyncIterable<Message>) {
        seqs.push(seq)
        if (seq === 2_500) break
      }
      return seqs
    }),
  )
  for (const seqs of rest) expect(seqs).toEqual(Array.from({ length: 2_499 }, (_, index) => index + 2))
  await memory.close()
}
