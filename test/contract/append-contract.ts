import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { ManualClock, type OpenSubject, texts } from './subject.ts'

const say = (content: string, extra: Partial<NewMessage> = {}): NewMessage => ({ role: 'user', content, ...extra })

/** Appending: order, atomicity, conditions, retries. */
export function testAppend(open: OpenSubject): void {
  describe('append', () => {
    it('[log-1] numbers messages from 1 without gaps and answers with what is stored', async () => {
      await using memory = await open()
      const chat = memory.scope('acme/ada').session('s')
      const first = await chat.append([say('a'), say('b')])
      const second = await chat.append(say('c'))
      expect([...first, ...second].map((message) => message.seq)).toEqual([1, 2, 3])
      expect(await chat.history()).toEqual([...first, ...second])
    })

    it('[msg-7] makes UUIDv7 ids that rise, and keeps given ones', async () => {
      await using memory = await open()
      const stored = await memory
        .scope('a')
        .session('s')
        .append([say('a'), say('b', { id: 'mine' }), say('c')])
      const [first, given, last] = stored.map((message) => message.id)
      expect(given).toBe('mine')
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(String(last) > String(first)).toBe(true)
    })

    it('[msg-8] sets times that are missing, keeps those given, and orders by sequence', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const chat = memory.scope('a').session('s')
      await chat.append([
        say('set'),
        say('given', { at: '1999-12-31T23:59:59.500Z' }),
        say('date', { at: new Date(0) }),
        say('number', { at: 1 }),
      ])
      clock.time -= 60_000
      await chat.append(say('clock went back a minute'))
      clock.time -= 3_600_000
      await chat.append(say('clock went back an hour'))
      const history = await chat.history()
      expect(history.map((message) => message.at)).toEqual([
        '2026-01-01T00:00:00.000Z',
        '1999-12-31T23:59:59.500Z',
        '1970-01-01T00:00:00.000Z',
        '1970-01-01T00:00:00.001Z',
        '2026-01-01T00:00:00.000Z',
        '2025-12-31T22:59:00.000Z',
      ])
      expect(history.map((message) => message.seq)).toEqual([1, 2, 3, 4, 5, 6])
    })

    it('[log-7] writes nothing when `after` is stale', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append([say('a'), say('b')], { after: 0 })
      await expect(chat.append(say('x'), { after: 1 })).rejects.toMatchObject({
        code: 'log/conflict',
        details: { after: 1, last: 2 },
      })
      expect(await chat.count()).toBe(2)
      expect(texts(await chat.append(say('c'), { after: 2 }))).toEqual(['c'])
    })

    it('[log-7] lets exactly one of many racing conditional appends win', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append(say('a'))
      const race = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => chat.append(say(String(index)), { after: 1 })),
      )
      expect(race.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
      expect(await chat.count()).toBe(2)
    })

    it('[log-5] gives 100 concurrent appends 100 places', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const stored = await Promise.all(
        Array.from({ length: 100 }, (_, index) => scope.session('s').append(say(String(index)))),
      )
      expect(stored.map(([message]) => message?.seq).toSorted((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 1),
      )
    })

    it('[log-6] answers a repeated message id with what is stored', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const stored = await chat.append([say('a', { id: '1' }), say('b', { id: '2' })])
      expect(await chat.append([say('a', { id: '1' }), say('b', { id: '2' })], { after: 0 })).toEqual(stored)
      expect(texts(await chat.append([say('b', { id: '2' }), say('c', { id: '3' })]))).toEqual(['b', 'c'])
      expect(await chat.count()).toBe(3)
    })

    it('[log-6] refuses a repeated message id with other content', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append(say('a', { id: '1' }))
      await expect(chat.append([say('new'), say('other', { id: '1' })])).rejects.toMatchObject({
        code: 'log/id-conflict',
        details: { id: '1', seq: 1 },
      })
      expect(await chat.count()).toBe(1)
    })

    it('[log-6] carries an operation out once', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const stored = await chat.append([say('a'), say('b')], { operationId: 'op', after: 0 })
      const again = await Promise.all(
        Array.from({ length: 5 }, () => chat.append([say('a'), say('b')], { operationId: 'op', after: 0 })),
      )
      for (const answer of again) expect(answer).toEqual(stored)
      await expect(chat.append(say('c'), { operationId: 'op' })).rejects.toMatchObject({ code: 'log/id-conflict' })
      expect(await chat.count()).toBe(2)
    })

    it('[show-2] keeps nothing of what the caller changes afterwards', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const metadata = { list: [1], nested: { deep: true } }
      const tags = ['x']
      const parts = [{ type: 'text' as const, text: 'said' }]
      const promise = chat.append({ role: 'user', parts, metadata, tags })
      metadata.list.push(2)
      metadata.nested.deep = false
      tags.push('y')
      parts[0] = { type: 'text', text: 'changed' }
      const [stored] = await promise
      const copy = structuredClone(stored)
      const leak = stored as unknown as { metadata: { list: number[] }; parts: { text: string }[] }
      leak.metadata.list.push(3)
      leak.parts[0] = { text: 'changed' }
      expect(await chat.history()).toEqual([copy])
      expect(copy).toMatchObject({
        tags: ['x'],
        metadata: { list: [1], nested: { deep: true } },
        parts: [{ type: 'text', text: 'said' }],
      })
    })

    it('[log-2] starts a new session with its description as system message, once', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const chat = scope.session('s', { description: 'You are terse.' })
      await Promise.all([chat.append(say('a')), chat.append(say('b'))])
      await scope.session('s', { description: 'Something else.' }).append(say('c'))
      const history = await chat.history()
      expect(history.map((message) => message.role)).toEqual(['system', 'user', 'user', 'user'])
      expect(texts(history)[0]).toBe('You are terse.')
      expect((await scope.sessions()).sessions[0]).toMatchObject({
        id: 's',
        description: 'You are terse.',
        messages: 4,
      })
      await chat.clear()
      expect(texts(await chat.window())).toEqual(['You are terse.'])
    })

    it('refuses an append that does not fit in one transaction', async () => {
      await using memory = await open()
      const many = Array.from({ length: 1_001 }, () => say('x'))
      await expect(memory.scope('a').session('s').append(many)).rejects.toMatchObject({ code: 'input/too-large' })
    })
  })
}
