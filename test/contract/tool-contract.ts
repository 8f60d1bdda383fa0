import { describe, expect, it } from 'vitest'
import type { OpenSubject } from './subject.ts'

const call = { id: 'c1', name: 'add', arguments: { a: 5, b: 3 } }

/** Tool calls and results: the log keeps what happened and says what is odd about it. */
export function testTools(open: OpenSubject): void {
  describe('tool calls', () => {
    it('[msg-3] pairs a result with its call without a warning', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'assistant', content: 'Adding.', toolCalls: [call] })
      const stored = await chat.append({ role: 'tool', content: '8', toolCallId: 'c1', name: 'add' })
      expect(stored.warnings).toEqual([])
      expect(stored[0]?.parts).toEqual([
        { type: 'tool-result', callId: 'c1', name: 'add', output: { type: 'text', text: '8' } },
      ])
    })

    it('[msg-5] stores a result that answers no call, and says so', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const stored = await chat.append({ role: 'tool', content: '8', toolCallId: 'nobody' })
      expect(stored.warnings).toMatchObject([{ type: 'orphan-result', seq: 1, callId: 'nobody' }])
      expect(await chat.count()).toBe(1)
    })

    it('[msg-5] stores a tool message without any call id, as in seed 000, and says so', async () => {
      await using memory = await open()
      const stored = await memory
        .scope('a')
        .session('s')
        .append([
          { role: 'user', content: 'What is 5 + 3?' },
          { role: 'tool', content: '8' },
        ])
      expect(stored.warnings).toMatchObject([{ type: 'missing-call-id', seq: 2 }])
      expect(stored[1]?.parts).toEqual([{ type: 'tool-result', output: { type: 'text', text: '8' } }])
    })

    it('[msg-5] says when a call is answered twice or its id is used twice', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append([
        { role: 'assistant', toolCalls: [call] },
        { role: 'tool', content: '8', toolCallId: 'c1' },
      ])
      expect((await chat.append({ role: 'tool', content: '9', toolCallId: 'c1' })).warnings).toMatchObject([
        { type: 'duplicate-result' },
      ])
      expect((await chat.append({ role: 'assistant', toolCalls: [call] })).warnings).toMatchObject([
        { type: 'duplicate-call' },
      ])
    })

    it('[msg-6] refuses both when asked to be strict, and stores nothing', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'assistant', toolCalls: [call] })
      await chat.append({ role: 'tool', content: 'fine', toolCallId: 'c1' }, { strict: true })
      await expect(
        chat.append({ role: 'tool', content: '8', toolCallId: 'c2' }, { strict: true }),
      ).rejects.toMatchObject({ code: 'log/orphan-result' })
      await expect(
        chat.append(
          [
            { role: 'user', content: 'x' },
            { role: 'tool', content: '8' },
          ],
          { strict: true },
        ),
      ).rejects.toMatchObject({ code: 'log/orphan-result' })
      expect(await chat.count()).toBe(2)
    })

    it('[msg-4] understands legacy tool content, as text and as an object', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'assistant', toolCalls: [call, { ...call, id: 'c2' }] })
      const stored = await chat.append([
        { role: 'tool', content: '{"tool_call_id": "c1", "output": "Result data"}', name: 'add' },
        { role: 'tool', content: { tool_call_id: 'c2', output: { sum: 8 } } },
      ])
      expect(stored.warnings).toEqual([])
      expect(stored.map((message) => message.parts)).toEqual([
        [{ type: 'tool-result', callId: 'c1', name: 'add', output: { type: 'text', text: 'Result data' } }],
        [{ type: 'tool-result', callId: 'c2', output: { type: 'json', value: { sum: 8 } } }],
      ])
    })
  })
}
