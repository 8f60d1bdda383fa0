import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import { ManualClock, type OpenSubject, texts } from './subject.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** A conversation with tool calls and compactions. Returns what a provider would have received at each turn, as JSON. */
async function converse(chat: Session, turns: number): Promise<readonly string[]> {
  const received: string[] = []
  for (let turn = 1; turn <= turns; turn++) {
    await chat.append({
      role: 'user',
      content: `Question ${turn} about order ORD-${turn}. ${'Please look. '.repeat(20)}`,
    })
    for (const call of [`c${turn}`, undefined]) {
      const context = await chat.context({ budget: 1_500, system: turn < turns / 2 ? 'Be brief.' : 'Be kind.' })
      received.push(JSON.stringify(context.messages))
      if (call === undefined) break
      await chat.append([
        { role: 'assistant', toolCalls: [{ id: call, name: 'look', arguments: { turn } }] },
        { role: 'tool', toolCallId: call, content: `Result ${turn}: `.padEnd(700, 'all is well. ') },
      ])
    }
    await chat.append({ role: 'assistant', content: `Answer ${turn}` })
  }
  return received
}

/** Records of what was handed to models. */
export function testRecordedContexts(open: OpenSubject): void {
  describe('recorded contexts', () => {
    it('[inspector-11] give the messages of every turn again, through compactions', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const received = await converse(chat, 8)
      const listed = (await chat.contexts()).toReversed()
      expect(listed).toHaveLength(16)
      expect((await chat.compactions()).length).toBeGreaterThan(0)
      for (const [index, { id, messages, digest }] of listed.entries()) {
        const record = await chat.contextAt(id)
        expect(JSON.stringify(record.messages)).toBe(received[index])
        expect(record).toMatchObject({ agrees: true, firstDifference: null, digest })
        expect(record.messages).toHaveLength(messages)
        expect(record.receipt.tokens).toEqual(listed[index]?.tokens)
        expect(record.options).toMatchObject({ budget: 1_500, policy: { name: 'balanced' } })
      }
      const [newest, second] = await chat.contexts({ limit: 2 })
      expect(await chat.contexts({ limit: 1, before: newest?.id ?? '' })).toEqual([second])
      await expect(chat.contextAt('01234')).rejects.toMatchObject({ code: 'context/not-found' })
      const buckets = await chat.tokenHistory({ buckets: 5 })
      expect(buckets).toHaveLength(4)
      expect(buckets.map(({ contexts }) => contexts)).toEqual([4, 4, 4, 4])
      expect(buckets.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(
        listed.reduce((sum, { cache }) => sum + cache.totalTokens, 0),
      )
    })

    it('[inspector-11] give a message as it was sent after it was revised or removed, and the whole receipt', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const [first] = await chat.append({ role: 'user', content: 'My order 7731 is late.' })
      const context = await chat.context({ budget: 8_000 })
      await chat.revise(first.id, { content: 'My order 7732 is late.' })
      await chat.remove(first.id)
      const [listed] = await chat.contexts()
      const record = await chat.contextAt(listed?.id ?? '')
      expect(texts(record.messages)).toEqual(['My order 7731 is late.'])
      expect(record.agrees).toBe(true)
      expect(record.receipt).toEqual(context.receipt)
      expect(record.cache).toEqual(context.cache)
    })

    it('[inspector-11] give a message as far as it had been streamed', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'user', content: 'Hello' })
      await chat.keepPiece('p', { from: 0, text: 'One ', message: { role: 'assistant' } })
      await chat.context({ budget: 8_000 })
      await chat.revise('p', { content: 'One two', incomplete: null })
      const [listed] = await chat.contexts()
      const record = await chat.contextAt(listed?.id ?? '')
      expect(texts(record.messages)).toEqual(['Hello', 'One '])
      expect(record.agrees).toBe(true)
    })

    it('[inspector-12] are not made of contexts that may not write', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'user', content: 'My order 7731 is late.' })
      await chat.context({ budget: 8_000, compact: false })
      await chat.context({ budget: 8_000, asOf: { version: 1 } })
      await memory.scope('a').session('none').context({ budget: 8_000 })
      expect(await chat.contexts()).toEqual([])
      expect(await memory.scope('a').session('none').contexts()).toEqual([])
    })

    it('[inspector-12] go when something is forgotten that they may show', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [chat, other] = [scope.session('s'), scope.session('other')]
      const [said] = await chat.append({ role: 'user', content: 'My order 7731 is late.' })
      await chat.append({ role: 'assistant', content: 'I am sorry.' })
      await other.append({ role: 'user', content: 'Hello' })
      await chat.context({ budget: 8_000 })
      await other.context({ budget: 8_000 })
      expect(await chat.contexts()).toHaveLength(1)
      await chat.context({ budget: 8_000 })
      await scope.forget({ message: said.id, session: 's' })
      expect(await chat.contexts()).toEqual([])
      expect(await other.contexts()).toHaveLength(1)
      await chat.context({ budget: 8_000 })
      expect(await chat.contexts()).toHaveLength(1)
      await scope.forget({ session: 's' })
      expect(await chat.contexts()).toEqual([])
    })

    it('[inspector-12] of other sessions go too if they show a block that is forgotten', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const chat = scope.session('s')
      await scope.blocks.set('house-rules', 'The code is 4711.')
      await chat.append({ role: 'user', content: 'Hello' })
      await chat.context({ budget: 8_000 })
      const [listed] = await chat.contexts()
      const record = await chat.contextAt(listed?.id ?? '')
      expect(JSON.stringify(record.messages)).toContain('4711')
      await scope.forget({ block: 'house-rules' })
      expect(await chat.contexts()).toEqual([])
    })

    it('[inspector-11] are kept for 30 days', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'user', content: 'Hello' })
      await chat.context({ budget: 8_000 })
      const [listed] = await chat.contexts()
      clock.time += 29 * DAY_MS
      expect(await chat.contexts()).toHaveLength(1)
      clock.time += 2 * DAY_MS
      expect(await chat.contexts()).toEqual([])
      await expect(chat.contextAt(listed?.id ?? '')).rejects.toMatchObject({ code: 'context/not-found' })
    })

    it('[inspector-17] are beside what other policies would have cost', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      for (let turn = 1; turn <= 6; turn++)
        await chat.append([
          { role: 'user', content: `Question ${turn}. ${'Please look. '.repeat(20)}` },
          { role: 'assistant', content: `Answer ${turn}. ${'All is well. '.repeat(20)}` },
        ])
      const { version } = await chat.stats()
      const simulations = await chat.simulateCache(['recency', 'balanced'], { input: 3, cached: 0.3 }, { budget: 600 })
      expect(simulations).toMatchObject([
        { policy: 'recency', calls: 6, compactions: 0 },
        { policy: 'balanced', calls: 6 },
      ])
      expect(simulations[1]?.compactions).toBeGreaterThan(0)
      expect((await chat.stats()).version).toBe(version)
      expect(await chat.contexts()).toEqual([])
    })

    it('[inspector-13] can be rebuilt for turns that have none', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'user', content: 'One' })
      const first = await chat.context({ budget: 8_000, compact: false })
      const { version } = await chat.stats()
      await chat.append([
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Three' },
      ])
      const rebuilt = await chat.context({ budget: 8_000, asOf: { version } })
      expect(rebuilt.messages).toEqual(first.messages)
      expect(rebuilt.rebuilt).toBe(true)
      expect(first.rebuilt).toBeUndefined()
      await expect(chat.context({ budget: 8_000, asOf: { version }, recall: true })).rejects.toMatchObject({
        code: 'input/invalid',
      })
    })
  })
}
