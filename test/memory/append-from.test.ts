import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import type { Dialect } from '../../src/domain/dialect.ts'

let memory: Memory
let made = 0
const fresh = (): Session => memory.scope('a').session(`s${made++}`)
beforeAll(async () => {
  memory = await openMemory(':memory:')
})
afterAll(() => memory.close())

const call = { id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' }

/** A question, a call and its result, as each provider writes them. */
const transcripts: readonly (readonly [dialect: Dialect, messages: unknown])[] = [
  [
    'openai',
    [
      { role: 'user', content: 'Rain in Oslo?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'c1', content: 'yes' },
    ],
  ],
  [
    'openai-responses',
    [
      { role: 'user', content: 'Rain in Oslo?' },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: call.arguments },
      { type: 'function_call_output', call_id: 'c1', output: 'yes' },
    ],
  ],
  [
    'anthropic',
    [
      { role: 'user', content: 'Rain in Oslo?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'yes' }] },
    ],
  ],
  [
    'gemini',
    [
      { role: 'user', parts: [{ text: 'Rain in Oslo?' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Oslo' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { output: 'yes' } } }] },
    ],
  ],
  [
    'ai-sdk',
    [
      { role: 'user', content: 'Rain in Oslo?' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Oslo' } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'weather', output: { type: 'text', value: 'yes' } },
        ],
      },
    ],
  ],
  [
    'langchain',
    [
      { type: 'human', data: { content: 'Rain in Oslo?' } },
      { type: 'ai', data: { content: '', tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Oslo' } }] } },
      { type: 'tool', data: { content: 'yes', tool_call_id: 'c1' } },
    ],
  ],
]

describe('append', () => {
  it.each(transcripts)('[anywhere-12] takes an array of the dialect %s as it is', async (dialect, messages) => {
    const session = fresh()
    const stored = await session.append(messages, { from: dialect })
    expect(stored.warnings).toEqual([])
    expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(stored[1]?.parts).toMatchObject([{ type: 'tool-call', id: 'c1', name: 'weather' }])
    expect(stored[2]?.parts).toMatchObject([{ type: 'tool-result', callId: 'c1' }])
  })

  it('[anywhere-12] takes one message, and a whole prompt', async () => {
    const session = fresh()
    await session.append(
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://e.com/a.png' } }] },
      { from: 'openai' },
    )
    await session.append({ system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] }, { from: 'anthropic' })
    expect((await session.history()).map(({ role }) => role)).toEqual(['user', 'system', 'user'])
  })

  it('[anywhere-12] stores calls that are not awaited in the order they were made, and copies its input', async () => {
    const session = fresh()
    const first = [{ role: 'user', content: 'one' }]
    const calls = [session.append(first, { from: 'openai' }), session.append({ role: 'user', content: 'two' })]
    first[0] = { role: 'user', content: 'changed' }
    await Promise.all(calls)
    expect((await session.history()).flatMap(({ parts }) => parts)).toMatchObject([{ text: 'one' }, { text: 'two' }])
  })

  it.each(transcripts)(
    '[anywhere-13] of a message of the dialect %s names it and the line to write',
    async (dialect, messages) => {
      const session = fresh()
      const error: unknown = await session.append(messages as never).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'input/invalid', details: { looksLike: dialect } })
      expect(String(error)).toContain(`append(messages, { from: '${dialect}' })`)
      expect(await session.count()).toBe(0)
    },
  )

  it('[anywhere-13] says nothing about dialects where a message of ours is wrong', async () => {
    await expect(fresh().append({ role: 'user', content: 7 } as never)).rejects.toThrow(/^(?!.*looks like)/)
    await expect(fresh().append([], { from: 'opnai' as never })).rejects.toThrow('did you mean "openai"')
  })
})
