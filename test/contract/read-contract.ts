import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Session } from '../../src/api/session.ts'
import { ManualClock, type OpenSubject, texts } from './subject.ts'

const conversation: readonly NewMessage[] = [
  { role: 'system', content: 'Be kind.' },
  {
    role: 'user',
    content: 'Straße nach İzmir',
    tags: ['travel'],
    metadata: { important: true, where: { city: 'İzmir' } },
  },
  { role: 'assistant', content: 'Gladly.', metadata: { important: 'yes' } },
  { role: 'user', content: 'Order 7731 is late', tags: ['order', 'late'], metadata: { important: true } },
  { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'lookup', arguments: '{"order":7731}' }] },
  { role: 'tool', content: { state: 'LOST' }, toolCallId: 'c' },
  { role: 'assistant', content: 'It is lost.' },
]

/** Reading: by recency, role, id, tag, metadata, text and time; by page; as of an earlier moment. */
export function testReads(open: OpenSubject): void {
  describe('reads', () => {
    const withConversation = async (check: (chat: Session) => Promise<void>): Promise<void> => {
      await using memory = await open()
      const chat = memory.scope('acme/ada').session('s')
      await chat.append(conversation)
      await check(chat)
    }
    const seqs = (messages: readonly { readonly seq: number }[]): readonly number[] =>
      messages.map((message) => message.seq)

    it('[log-1] recent gives the newest, oldest first', () =>
      withConversation(async (chat) => {
        expect(seqs(await chat.recent(2))).toEqual([6, 7])
        expect(seqs(await chat.recent(100))).toEqual([1, 2, 3, 4, 5, 6, 7])
      }))

    it('[log-1] byRole gives one role, all or the newest', () =>
      withConversation(async (chat) => {
        expect(seqs(await chat.byRole('user'))).toEqual([2, 4])
        expect(seqs(await chat.byRole('assistant', 2))).toEqual([5, 7])
        expect(seqs(await chat.byRole('system', 1))).toEqual([1])
      }))

    it('[log-1] search finds text in every kind of part, whatever its case', () =>
      withConversation(async (chat) => {
        expect(seqs(await chat.search('STRASSE'))).toEqual([2])
        expect(seqs(await chat.search('7731'))).toEqual([4, 5])
        expect(seqs(await chat.search('lost'))).toEqual([6, 7])
        expect(seqs(await chat.search('l', { limit: 1 }))).toEqual([7])
        expect(await chat.search('nowhere')).toEqual([])
        expect(await chat.search('')).toHaveLength(7)
      }))

    it('[log-1] history filters by tag, metadata, role and text together', () =>
      withConversation(async (chat) => {
        expect(seqs(await chat.history({ tag: 'late' }))).toEqual([4])
        expect(seqs(await chat.history({ where: { important: true } }))).toEqual([2, 4])
        expect(seqs(await chat.history({ where: { where: { city: 'İzmir' } } }))).toEqual([2])
        expect(seqs(await chat.history({ role: 'user', text: 'order' }))).toEqual([4])
      }))

    it('[log-1] history pages forwards and backwards by sequence number', () =>
      withConversation(async (chat) => {
        const forwards: number[] = []
        for (let after = 0; ;) {
          const page = await chat.history({ limit: 3, after })
          if (page.length === 0) break
          forwards.push(...seqs(page))
          after = page.at(-1)?.seq ?? 0
        }
        expect(forwards).toEqual([1, 2, 3, 4, 5, 6, 7])
        expect(seqs(await chat.history({ limit: 3, before: 7 }))).toEqual([4, 5, 6])
        expect(seqs(await chat.history({ before: 4, after: 1 }))).toEqual([2, 3])
      }))

    it('[log-1] get finds by id, and nothing of an unknown one', () =>
      withConversation(async (chat) => {
        const [message] = await chat.recent(1)
        expect(await chat.get(message?.id ?? '')).toEqual(message)
        expect(await chat.get('unknown')).toBeUndefined()
      }))

    it('[log-1] stats counts messages, roles, tokens and calls', () =>
      withConversation(async (chat) => {
        const tokens = (await chat.history()).reduce((sum, message) => sum + message.tokens, 0)
        expect(await chat.stats()).toMatchObject({
          messages: 7,
          live: 7,
          tokens,
          byRole: { system: 1, user: 2, assistant: 3, tool: 1 },
          toolCalls: 1,
          revisions: 0,
          version: 7,
        })
      }))

    it('[log-1] a session that was never written is empty', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('none')
      expect(await chat.history()).toEqual([])
      expect(await chat.window()).toEqual([])
      expect(await chat.count()).toBe(0)
      expect(await chat.stats()).toMatchObject({ messages: 0, live: 0, firstAt: null })
      expect((await memory.scope('a').sessions()).sessions).toEqual([])
    })

    it('[log-1] asOf reads the log as it was at a time or a version', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const chat = memory.scope('a').session('s')
      const [first] = await chat.append({ role: 'user', content: 'one' })
      const start = new Date(clock.time)
      clock.time += 1_000
      await chat.append({ role: 'user', content: 'two' })
      clock.time += 1_000
      await chat.revise(first?.id ?? '', { content: 'ONE' })
      clock.time += 1_000
      await chat.clear()
      await chat.append({ role: 'user', content: 'three' })
      expect(texts(await chat.window({ asOf: new Date(start.getTime() - 1) }))).toEqual([])
      expect(texts(await chat.window({ asOf: start }))).toEqual(['one'])
      expect(texts(await chat.window({ asOf: new Date(start.getTime() + 1_999).toISOString() }))).toEqual([
        'one',
        'two',
      ])
      expect(texts(await chat.window({ asOf: { version: 3 } }))).toEqual(['ONE', 'two'])
      expect(texts(await chat.window({ asOf: { version: 4 } }))).toEqual([])
      expect(texts(await chat.window())).toEqual(['three'])
      expect(texts(await chat.history({ asOf: { version: 2 } }))).toEqual(['one', 'two'])
      expect(await chat.get(first?.id ?? '', { asOf: start })).toMatchObject({ revision: 0, parts: [{ text: 'one' }] })
      expect(await chat.count({ asOf: { version: 3 } })).toBe(2)
      expect((await chat.stats({ asOf: { version: 4 } })).live).toBe(0)
    })
  })
}
