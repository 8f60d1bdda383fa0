import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import type { Session } from '../../src/api/session.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type TestDatabase, freshDatabase } from './database.ts'
import { writesDuring } from './writes-during.ts'

describe('[pg-4] an append to a session that this process wrote to last', () => {
  let database: TestDatabase
  let here: Memory
  let there: Memory
  let sessions = 0
  beforeAll(async () => {
    database = await freshDatabase()
    const { url, postgres } = database
    here = await openMemory(url, { learn: false, postgres })
    there = await openMemory(url, { learn: false, postgres })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await here?.close()
    await there?.close()
    await database?.[Symbol.asyncDispose]()
  })

  const say = (chat: Session, content: string, after?: number): Promise<unknown> =>
    chat.append({ role: 'user', content }, after === undefined ? {} : { after })
  /** The same session seen from both processes, known to the first. */
  async function known(): Promise<readonly [Session, Session]> {
    const name = `s${++sessions}`
    const mine = here.scope('acme').session(name)
    await say(mine, 'one')
    await say(mine, 'two')
    return [mine, there.scope('acme').session(name)]
  }
  const textsOf = async (chat: Session): Promise<readonly unknown[]> =>
    (await chat.history()).map(({ seq, parts }) => [seq, parts[0]?.type === 'text' ? parts[0].text : ''])

  it('takes one transaction and one round trip, also for many that arrive together', async () => {
    const [mine] = await known()
    expect(await writesDuring(() => say(mine, 'three'))).toMatchObject([{ roundTrips: 1 }])
    const chats = await Promise.all(Array.from({ length: 32 }, async () => (await known())[0]))
    const all = (): Promise<unknown> => Promise.all(chats.flatMap((chat) => [say(chat, 'a'), say(chat, 'b')]))
    expect(await writesDuring(all)).toMatchObject([{ roundTrips: 1 }])
    for (const chat of chats)
      expect(await textsOf(chat)).toEqual([
        [1, 'one'],
        [2, 'two'],
        [3, 'a'],
        [4, 'b'],
      ])
  })

  it('takes one more where it asks for something, as a tool result asks for its call', async () => {
    const [mine] = await known()
    const call = { id: 'c1', name: 'look', arguments: '{}' }
    const calling = (): Promise<unknown> => mine.append({ role: 'assistant', toolCalls: [call] })
    expect(await writesDuring(calling)).toMatchObject([{ roundTrips: 2 }])
    const answer = await mine.append({ role: 'tool', toolCallId: 'c1', content: 'seen' })
    expect(answer.warnings).toEqual([])
    expect((await mine.append({ role: 'tool', toolCallId: 'c1', content: 'seen' })).warnings).toMatchObject([
      { type: 'duplicate-result' },
    ])
  })

  it('comes after what another process wrote meanwhile, and is decided by it', async () => {
    const [mine, theirs] = await known()
    await say(theirs, 'theirs')
    await expect(say(mine, 'too late', 2)).rejects.toMatchObject({ code: 'log/conflict', details: { last: 3 } })
    await say(mine, 'mine', 3)
    await say(theirs, 'theirs again')
    await Promise.all([say(mine, 'x'), say(theirs, 'y'), say(mine, 'x'), say(theirs, 'y')])
    const texts = await textsOf(mine)
    expect(texts.slice(0, 5)).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'theirs'],
      [4, 'mine'],
      [5, 'theirs again'],
    ])
    expect(texts.map((one) => (one as [number])[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await there.verify()).toMatchObject({ ok: true })
  })

  it('is read first for a while where several write', async () => {
    const [mine, theirs] = await known()
    await say(theirs, 'theirs')
    expect(await writesDuring(() => say(mine, 'otherwise'))).toHaveLength(2)
    await say(theirs, 'theirs')
    expect(await writesDuring(() => say(mine, 'read first'))).toMatchObject([{ roundTrips: 2 }])
    for (let write = 0; write < 64; write++) await say(mine, 'alone')
    expect(await writesDuring(() => say(mine, 'believed'))).toMatchObject([{ roundTrips: 1 }])
  })

  it('fails in one place only where it asked for several things', async () => {
    const unheard = vi.fn<(error: unknown) => void>()
    process.on('unhandledRejection', unheard)
    const [mine, theirs] = await known()
    await say(theirs, 'theirs')
    await mine.append(
      { id: 'm1', role: 'assistant', toolCalls: [{ id: 'c', name: 'n', arguments: '{}' }] },
      { operationId: 'o' },
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unheard)
    expect(unheard).not.toHaveBeenCalled()
    expect((await textsOf(mine)).length).toBe(4)
  })

  it('holds up nobody who stands beside such a one', async () => {
    const [mine, theirs] = await known()
    const [other] = await known()
    await say(theirs, 'theirs')
    await Promise.all([say(mine, 'mine'), say(other, 'other')])
    expect((await textsOf(mine)).at(-1)).toEqual([4, 'mine'])
    expect((await textsOf(other)).at(-1)).toEqual([3, 'other'])
  })

  it('begins a new session where another process forgot the old one', async () => {
    const [mine, theirs] = await known()
    await there.scope('acme').forget({ session: theirs.id })
    await say(mine, 'anew')
    expect(await textsOf(mine)).toEqual([[1, 'anew']])
  })

  it('reads what a fork rests on', async () => {
    const [mine] = await known()
    const fork = await mine.fork(`f${sessions}`)
    await say(fork, 'three')
    expect(await writesDuring(() => say(fork, 'four'))).toMatchObject([{ roundTrips: 3 }])
    expect(await textsOf(fork)).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, 'four'],
    ])
  })
})
