import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import type { Message } from '../../src/domain/message.ts'
import { lint } from '../../src/dialects/lint.ts'
import { type OpenSubject, texts } from './subject.ts'

const assistant = { role: 'assistant' } as const
const question = { role: 'user', content: 'Where is my order?' } as const

/** Reads the newest message until it is as wanted: streams store in the background. */
async function newest(chat: Session, isWanted: (message: Message) => boolean): Promise<Message> {
  for (;;) {
    const [message]: readonly (Message | undefined)[] = await chat.recent(1)
    if (message !== undefined && isWanted(message)) return message
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** Messages that are stored while they are written. */
export function testStreams(open: OpenSubject): void {
  describe('streams', () => {
    it('[contexts-70] keeps pieces in the log, marked as incomplete, and refuses those that do not fit', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const keep = (from: number, text: string, rest: object = {}): Promise<unknown> =>
        chat.keepPiece('r', { from, text, ...rest })
      await expect(keep(0, 'Or')).rejects.toMatchObject({ code: 'log/not-found' })
      expect(await keep(0, 'Order ', { message: { ...assistant, name: 'bot' } })).toEqual({ characters: 6 })
      expect(await keep(6, 'zzuf')).toEqual({ characters: 10 })
      expect(await keep(6, 'zzuf\u0000 \ud83d')).toEqual({ characters: 13 })
      expect(await keep(13, '\ude00 left')).toEqual({ characters: 19 })
      // Again, as after a lost response: the first piece, and the last.
      expect(await keep(0, 'Order ', { message: assistant })).toEqual({ characters: 19 })
      expect(await keep(13, '\ude00 left')).toEqual({ characters: 19 })
      for (const from of [3, 6, 12, 20]) await expect(keep(from, 'x')).rejects.toMatchObject({ code: 'log/conflict' })
      const text = 'Order zzuf\u0000 \u{1f600} left'
      const [shown] = await chat.history()
      expect(shown).toMatchObject({ id: 'r', seq: 1, name: 'bot', incomplete: 'streaming', parts: [{ text }] })
      expect(shown?.tokens).toBeGreaterThan(5)
      for (const found of [await chat.get('r'), (await chat.window())[0], (await chat.recent(1))[0]])
        expect(found).toEqual(shown)
      expect(await chat.search('LEFT')).toEqual([shown])
      const context = await chat.context({ budget: 1_000 })
      expect(texts(context.messages)).toEqual([text])
      // Growing text makes no version: the next context has it all the same.
      await keep(19, ' today')
      for (const model of [undefined, 'gpt-4o']) {
        const { tokens: before } = await chat.context({ budget: 1_000, ...(model === undefined ? {} : { model }) })
        await keep(19, ` today${' and tomorrow'.repeat(20)}`)
        const after = await chat.context({ budget: 1_000, ...(model === undefined ? {} : { model }) })
        expect(texts(after.messages)).toEqual([`${text} today${' and tomorrow'.repeat(20)}`])
        expect(after.tokens).toBeGreaterThan(before + 20)
        await keep(19, ' today')
      }
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[contexts-70] stores what is written, and completes it once with its calls', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s', { description: 'Be kind.' })
      await chat.append(question)
      const reply = chat.stream({ ...assistant, metadata: { run: 1 } })
      reply.write('Order 7731 ')
      await newest(chat, ({ incomplete }) => incomplete === 'streaming')
      const long = 'word '.repeat(300)
      for (const part of long.match(/.{1,9}/g) ?? []) reply.write(part)
      const cut = await newest(chat, ({ parts: [part] }) => part?.type === 'text' && part.text.endsWith(long))
      expect(cut).toMatchObject({ id: reply.id, seq: 3, incomplete: 'streaming', metadata: { run: 1 } })
      const stored = await reply.end([
        { role: 'assistant', content: `Order 7731 ${long}`, toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }] },
      ])
      expect(stored).toMatchObject([{ id: reply.id, seq: 3, revision: 1, parts: [{}, { id: 'c' }] }])
      expect(stored[0]).not.toHaveProperty('incomplete')
      const [result] = await chat.append({ role: 'tool', toolCallId: 'c', content: 'here' }, { strict: true })
      expect(result.seq).toBe(4)
      expect(() => reply.write('more')).toThrow('it has ended')
      await expect(reply.end()).rejects.toMatchObject({ code: 'input/invalid' })
      expect((await chat.stats()).toolCalls).toBe(1)
      expect((await chat.document()).tool_stats).toMatchObject({ total_calls: 1 })
      expect(JSON.stringify(await exported(memory))).not.toContain('"piece"')
      expect((await memory.verify()).ok).toBe(true)
      for (const dialect of ['openai', 'anthropic', 'gemini'] as const) {
        const context = await chat.context({ budget: 8_000 })
        expect(lint(context.as(dialect), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
      }
    })

    it('[contexts-70] keeps what was stopped, and nothing where nothing was written', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      expect(await chat.stream(assistant).stop()).toBeUndefined()
      await expect(chat.stream(assistant).end()).rejects.toMatchObject({ code: 'input/invalid' })
      expect(await chat.history()).toEqual([])
      await chat.append(question)
      const quick = chat.stream(assistant)
      quick.write('It is')
      expect(await quick.stop()).toMatchObject({ seq: 2, incomplete: 'stopped', parts: [{ text: 'It is' }] })
      {
        await using slow = chat.stream({ ...assistant, id: 'slow' })
        slow.write('It was')
        await newest(chat, ({ id }) => id === 'slow')
        slow.write(' sent')
      }
      expect(await chat.get('slow')).toMatchObject({ seq: 3, incomplete: 'stopped', parts: [{ text: 'It was sent' }] })
      expect(await chat.revise('slow', { incomplete: null })).not.toHaveProperty('incomplete')
      for (const wrong of [{ role: 'tool' }, { role: 'assistant', content: 'x' }, 'x'])
        expect(() => chat.stream(wrong as never)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
    })

    it('[contexts-70] exports and forgets what is being streamed', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const chat = scope.session('s')
      for (const id of ['r', 'q']) {
        await chat.keepPiece(id, { from: 0, text: 'Your ', message: assistant })
        await chat.keepPiece(id, { from: 5, text: `secret${id} is out` })
      }
      const archive = await exported(memory)
      expect(archive).toContain('secretr')
      await using copy = await open()
      await copy.import([archive])
      expect(texts(await copy.scope('a').session('s').history())).toEqual([
        'Your secretr is out',
        'Your secretq is out',
      ])
      await scope.forget({ session: 's', message: 'r' })
      expect(await exported(memory)).not.toContain('secretr')
      expect(texts(await chat.history())).toEqual(['Your secretq is out'])
      await scope.forget({ session: 's' })
      expect(await exported(memory)).not.toContain('secretq')
    })

    it('[contexts-75] stays in a fork as it was then, whatever becomes of it', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append(question)
      for (const id of ['r', 'q']) {
        await chat.keepPiece(id, { from: 0, text: 'Your ', message: assistant })
        await chat.keepPiece(id, { from: 5, text: 'order ' })
      }
      const early = await chat.fork('early')
      const before = await chat.fork('before', { at: 2 })
      const then = await early.fork('then')
      const seen = await early.history()
      expect(texts(seen)).toEqual([question.content, 'Your order ', 'Your order '])
      expect(seen.map(({ incomplete }) => incomplete)).toEqual([undefined, 'stopped', 'stopped'])
      await chat.keepPiece('r', { from: 11, text: 'is here' })
      expect(await early.history()).toEqual(seen)
      await chat.change([{ type: 'revise', id: 'r', patch: { content: 'Your order is here', incomplete: null } }])
      for (const fork of [early, then]) expect(await fork.history()).toEqual(seen)
      expect(await before.history()).toEqual(seen.slice(0, 2))
      expect(texts(await (await chat.fork('late')).history())).toEqual([
        question.content,
        'Your order is here',
        'Your order ',
      ])
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[contexts-71] is held back from a watch until it is complete', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append(question)
      const watched = chat.watch({ after: 0 })
      expect((await watched.next()).value).toMatchObject({ seq: 1 })
      const reply = chat.stream(assistant)
      reply.write('It is ')
      await newest(chat, ({ incomplete }) => incomplete === 'streaming')
      await chat.append({ role: 'user', content: 'Hello?' })
      reply.write('on its way.')
      await reply.end()
      expect((await watched.next()).value).toMatchObject({ seq: 2, parts: [{ text: 'It is on its way.' }] })
      expect((await watched.next()).value).toMatchObject({ seq: 3 })
      await watched.return?.()
    })
  })
}

async function exported(memory: { export(): AsyncIterable<string> }): Promise<string> {
  let all = ''
  for await (const piece of memory.export()) all += piece
  return all
}
