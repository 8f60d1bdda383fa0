import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import { type OpenSubject, texts } from './subject.ts'

const ui = (id: string, role: 'user' | 'assistant', ...parts: readonly object[]): object => ({ id, role, parts })
const said = (text: string): object => ({ type: 'text', text })
const looked = (id: string, rest: object): object => ({ type: 'tool-look', toolCallId: id, input: {}, ...rest })

async function live(session: Session): Promise<readonly string[]> {
  return texts(await session.window())
}

/** Several steps at once, and following the transcript of a host. */
export function testChanges(open: OpenSubject): void {
  describe('changes', () => {
    it('[hosts-1] makes all steps or none, once', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append(['a', 'b', 'c'].map((content) => ({ role: 'user' as const, content, id: content })))
      const steps = [
        { type: 'remove', id: 'b' },
        { type: 'revise', id: 'c', patch: { content: 'C' } },
        { type: 'append', messages: [{ role: 'user', content: 'd' }] },
      ] as const
      const changed = await chat.change(steps, { after: 3, operationId: 'o' })
      expect(changed).toMatchObject({ messages: [{ id: 'c', revision: 1 }, { seq: 4 }], lastSeq: 4, version: 6 })
      expect(await live(chat)).toEqual(['a', 'C', 'd'])
      expect(await chat.change(steps, { after: 3, operationId: 'o' })).toMatchObject({
        messages: changed.messages.map(({ id }) => ({ id })),
        version: 6,
      })
      await expect(chat.change(steps.slice(1), { operationId: 'o' })).rejects.toMatchObject({ code: 'log/id-conflict' })
      for (const after of [3, { version: 5 }])
        await expect(chat.change(steps, { after })).rejects.toMatchObject({ code: 'log/conflict' })
      await expect(
        chat.change([...steps, { type: 'remove', id: 'unknown' }], { after: { version: 6 } }),
      ).rejects.toMatchObject({ code: 'log/not-found' })
      expect((await chat.stats()).version).toBe(6)
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[hosts-1] replaces everything, and a session that does not exist is not created by nothing', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      expect(await scope.session('none').change([{ type: 'clear' }])).toMatchObject({ messages: [], version: 0 })
      expect((await scope.sessions()).sessions).toEqual([])
      const chat = scope.session('s', { description: 'Be kind.' })
      await chat.change([{ type: 'append', messages: [{ role: 'user', content: 'a' }] }], { after: 0 })
      expect(await live(chat)).toEqual(['Be kind.', 'a'])
      await chat.change([
        { type: 'clear' },
        { type: 'append', messages: [{ role: 'user', content: 'b' }] },
        { type: 'append', messages: [{ role: 'assistant', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] }] },
      ])
      expect(await live(chat)).toEqual(['Be kind.', 'b', '[tool-call]'])
      const last = (await chat.recent(1))[0]
      // A call that a revision adds is one that a result may answer.
      const grown = {
        parts: [...(last?.parts ?? []), { type: 'tool-call', id: 'd', name: 'f', arguments: '{}' }],
      } as const
      await chat.change([{ type: 'revise', id: last?.id ?? '', patch: grown }])
      const result = await chat.append({ role: 'tool', content: 'r', toolCallId: 'd' }, { strict: true })
      expect(result.warnings).toEqual([])
    })

    it('[hosts-1] removes what the same change appends: the log has it, the window does not', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const messages = ['a', 'b', 'c'].map((content) => ({ role: 'user' as const, content, id: content }))
      const steps = [
        { type: 'append', messages },
        { type: 'remove', id: 'b' },
      ] as const
      const changed = await chat.change(steps)
      expect(changed).toMatchObject({ lastSeq: 3, version: 4 })
      expect(await chat.change(steps)).toEqual(changed)
      expect(await live(chat)).toEqual(['a', 'c'])
      expect(await chat.count()).toBe(2)
      expect((await chat.history()).map(({ id, removed }) => [id, removed])).toEqual([
        ['a', undefined],
        ['b', true],
        ['c', undefined],
      ])
      expect(await chat.recent(2, { asOf: { version: 3 } })).toHaveLength(2)
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[hosts-1] refuses steps that are wrong, and names the one', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const wrong = [
        [[{ type: 'delete', id: 'x' }], /steps\[0\].type is "delete", expected append, revise, remove or clear/],
        [[{ type: 'append', messages: 'hello' }], /messages/],
        [[{ type: 'revise', id: 'x', patch: {} }], /at least one field/],
        [
          [
            { type: 'remove', id: 'x' },
            { type: 'remove', id: 'x' },
          ],
          /given twice/,
        ],
      ] as const
      for (const [steps, message] of wrong)
        await expect(chat.change(steps as never)).rejects.toMatchObject({
          code: 'input/invalid',
          message: expect.stringMatching(message) as string,
        })
    })

    it('[hosts-1] of many changes at one position exactly one is made', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'user', content: 'a' })
      const tries = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) =>
          chat.change([{ type: 'append', messages: [{ role: 'user', content: `${index}` }] }], { after: 1 }),
        ),
      )
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await chat.count()).toBe(2)
    })

    it('[hosts-2] follows UI messages: a message with tools is stored once, grows, and is regenerated', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const sync = (messages: readonly object[], complete = false) =>
        chat.sync(messages, { dialect: 'ai-sdk-ui', complete })
      const asked = ui('u1', 'user', said('Weather?'))
      const waiting = ui('m1', 'assistant', looked('c1', { state: 'input-available' }))
      const answered = ui(
        'm1',
        'assistant',
        looked('c1', { state: 'output-available', output: 'Rain' }),
        { type: 'step-start' },
        said('Rain.'),
      )
      expect(await sync([asked, waiting])).toMatchObject({ appended: [{ id: 'u1' }, { id: 'm1' }] })
      expect(await sync([asked, answered])).toMatchObject({
        appended: [
          { id: 'm1#1', role: 'tool' },
          { id: 'm1#2', role: 'assistant' },
        ],
        revised: [{ id: 'm1' }],
        removed: [],
      })
      const { version } = await chat.stats()
      expect(await sync([asked, answered])).toEqual({ appended: [], revised: [], removed: [], lastSeq: 4, version })
      // Another reply in its place: the old one is out of the window and stays in the log.
      const again = ui('m2', 'assistant', said('Sun.'))
      expect(await sync([asked, again])).toMatchObject({ removed: ['m1', 'm1#1', 'm1#2'] })
      expect(await live(chat)).toEqual(['Weather?', 'Sun.'])
      // And back: the id is in the log, so the message gets another one and keeps the id of its host.
      await sync([asked, answered])
      expect(await live(chat)).toEqual(['Weather?', '[tool-call]', '[tool-result]', '[data]Rain.'])
      expect(await sync([asked, answered])).toMatchObject({ appended: [], revised: [], removed: [] })
      expect(await chat.history()).toHaveLength(8)
      expect((await memory.verify()).ok).toBe(true)
    })

    it('[hosts-2] messages before the first one given stay, and `complete` removes them', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, role: 'user' as const, content: id }))
      await chat.sync([a, b] as never)
      await chat.sync([b, c] as never)
      expect(await live(chat)).toEqual(['a', 'b', 'c'])
      expect(await chat.sync([c] as never, { complete: true })).toMatchObject({ removed: ['a', 'b'] })
      // Messages without ids are compared in order.
      await chat.sync(
        [
          { role: 'user', content: 'c' },
          { role: 'assistant', content: 'd' },
        ],
        { complete: true },
      )
      expect(await live(chat)).toEqual(['c', 'd'])
      expect(await chat.history()).toHaveLength(4)
    })

    it('[hosts-2] what was forgotten does not come back with the next transcript', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const chat = scope.session('s')
      const messages = ['a', 'b', 'c'].map((id) => ({ id, role: 'user' as const, content: `text ${id}` }))
      await chat.sync(messages)
      await scope.forget({ session: 's', message: 'b' })
      expect(await chat.sync(messages)).toMatchObject({ appended: [], removed: [] })
      expect(await live(chat)).toEqual(['text a', 'text c'])
    })

    it('[hosts-2] of two hosts that save at the same time both are stored', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const of = (id: string) => ({ id, role: 'user' as const, content: id })
      await Promise.all([chat.sync([of('x')]), chat.sync([of('y')])])
      expect((await live(chat)).toSorted()).toEqual(['x', 'y'])
    })
  })
}
