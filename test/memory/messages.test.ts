import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Part } from '../../src/domain/part.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const opaque = {
  anthropic: { signature: 'sig==', nested: { list: [1, null, 'x'] } },
  openai: { itemId: 'rs_1', encryptedContent: 'gAAA' },
}

const everyPart: readonly Part[] = [
  { type: 'text', text: 'text', provider: opaque },
  { type: 'reasoning', text: 'thought', provider: opaque },
  { type: 'reasoning', text: '', provider: { anthropic: { redactedData: 'xyz' } } },
  {
    type: 'image',
    source: { type: 'url', url: 'https://example.com/a.png' },
    mediaType: 'image/png',
    detail: 'low',
    name: 'a',
    width: 10,
    height: 20,
    provider: opaque,
  },
  {
    type: 'file',
    source: { type: 'url', url: 'https://example.com/a.pdf' },
    mediaType: 'application/pdf',
    name: 'a.pdf',
    provider: opaque,
  },
  {
    type: 'audio',
    source: { type: 'url', url: 'https://example.com/a.mp3' },
    mediaType: 'audio/mpeg',
    transcript: 'hm',
    provider: opaque,
  },
  { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"half": ', provider: opaque },
  { type: 'tool-call', id: 'w1', name: 'web_search', arguments: '{}', providerExecuted: true },
  {
    type: 'tool-result',
    callId: 'w1',
    name: 'web_search',
    output: { type: 'json', value: [{ url: 'x' }] },
    providerExecuted: true,
    outcome: 'ok',
    provider: opaque,
  },
  { type: 'agent-call', id: 'a1', agent: 'helper', request: { do: ['this', null] }, provider: opaque },
  { type: 'data', kind: 'structured', data: { a: [true, 1.5e-7, ''] }, provider: opaque },
  { type: 'data', kind: 'anthropic:compaction', data: { content: 'c', encrypted_content: 'e' } },
]

async function store(...messages: readonly NewMessage[]): Promise<readonly (readonly Part[])[]> {
  await using memory = await openMemory(':memory:')
  const chat = memory.scope('a').session('s')
  const stored = await chat.append(messages)
  expect(await chat.history()).toEqual([...stored])
  return stored.map((message) => message.parts)
}

describe('messages', () => {
  it('[msg-1] stores every kind of part with every opaque field unchanged', async () => {
    expect(await store({ role: 'assistant', parts: everyPart })).toEqual([everyPart])
  })

  it('[msg-1] keeps several results in one tool message, with media in them', async () => {
    const results: readonly Part[] = [
      { type: 'tool-result', callId: 'a', name: 'f', output: { type: 'text', text: '' }, outcome: 'error' },
      {
        type: 'tool-result',
        callId: 'b',
        output: {
          type: 'parts',
          parts: [
            { type: 'text', text: 'see' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/b' } },
          ],
        },
      },
      { type: 'tool-result', callId: 'c', output: { type: 'json', value: null }, outcome: 'denied', provider: opaque },
    ]
    expect(await store({ role: 'tool', parts: results })).toEqual([results])
  })

  it('[msg-2] takes text as a shorthand', async () => {
    expect(await store({ role: 'user', content: 'text' })).toEqual([[{ type: 'text', text: 'text' }]])
  })

  it('[msg-3] keeps name, tags, metadata and opaque fields of the message', async () => {
    await using memory = await openMemory(':memory:')
    const message = {
      role: 'user',
      content: 'x',
      name: 'Ada',
      tags: ['a', 'b'],
      metadata: { n: 1, deep: { x: [null] } },
      provider: { openai: { phase: 'final' } },
    } as const
    const [stored] = await memory.scope('a').session('s').append(message)
    expect(stored).toMatchObject({
      name: 'Ada',
      tags: ['a', 'b'],
      metadata: message.metadata,
      provider: message.provider,
    })
  })

  it('[msg-3] takes tool calls, agent calls, images, structured data and OpenAI-shaped calls as shorthands', async () => {
    expect(
      await store({
        role: 'assistant',
        content: 'Working.',
        images: ['https://example.com/a.png'],
        data: { score: 3 },
        toolCalls: [
          { id: 'c', name: 'f', arguments: { a: 1 } },
          { id: 'd', type: 'function', function: { name: 'g', arguments: '{"b":2}' } } as never,
        ],
        agentCalls: [{ agent: 'helper', request: 'go' }],
      }),
    ).toEqual([
      [
        { type: 'text', text: 'Working.' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'data', kind: 'structured', data: { score: 3 } },
        { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}' },
        { type: 'tool-call', id: 'd', name: 'g', arguments: '{"b":2}' },
        { type: 'agent-call', agent: 'helper', request: 'go' },
      ],
    ])
  })

  it('[msg-3] takes an object as structured content', async () => {
    expect(await store({ role: 'user', content: { thought: 'x' } })).toEqual([
      [{ type: 'data', kind: 'structured', data: { thought: 'x' } }],
    ])
  })

  it('accepts roles in either case and stores one', async () => {
    await using memory = await openMemory(':memory:')
    const [stored] = await memory
      .scope('a')
      .session('s')
      .append({ role: 'USER' as 'user', content: 'x' })
    expect(stored?.role).toBe('user')
  })

  it("[msg-4] does not take a tool's own JSON for the legacy form", async () => {
    const json = '{"tool_call_id": "c", "output": 1, "more": 2}'
    expect(await store({ role: 'tool', content: json, toolCallId: 'x' })).toEqual([
      [{ type: 'tool-result', callId: 'x', output: { type: 'text', text: json } }],
    ])
    expect(await store({ role: 'tool', content: json })).toEqual([
      [{ type: 'tool-result', output: { type: 'text', text: json } }],
    ])
  })

  it('keeps the call id of a tool message that has only data', async () => {
    const result = { type: 'tool-result', callId: 'c', output: { type: 'json', value: { sum: 8 } } }
    expect(await store({ role: 'tool', toolCallId: 'c', data: { sum: 8 } })).toEqual([[result]])
    expect(await store({ role: 'tool', toolCallId: 'c', parts: [{ type: 'data', data: { sum: 8 } }] })).toEqual([
      [result],
    ])
  })

  it('[msg-4] an explicit call id stands above the legacy form', async () => {
    const content = '{"tool_call_id":"other","output":"x"}'
    expect(await store({ role: 'tool', toolCallId: 'mine', content })).toEqual([
      [{ type: 'tool-result', callId: 'mine', output: { type: 'text', text: content } }],
    ])
  })

  it('takes a stored message and appends it elsewhere', async () => {
    await using memory = await openMemory(':memory:')
    const [stored] = await memory
      .scope('a')
      .session('s')
      .append({ role: 'user', content: 'x', tags: ['t'] })
    const [copy] = await memory
      .scope('a')
      .session('t')
      .append(stored as NewMessage)
    expect(copy).toEqual(stored)
  })

  it('[tok-4] stores a count with each message, by the tokenizer that was chosen', async () => {
    const content = 'Counting tokens is a solved problem, they said.'
    const counts: number[] = []
    for (const tokenizer of [
      'estimate',
      'o200k_base',
      { name: 'length', exact: false, count: (text: string) => text.length },
    ] as const) {
      await using memory = await openMemory(':memory:', { tokenizer })
      const chat = memory.scope('a').session('s')
      const [stored] = await chat.append({ role: 'user', content })
      expect((await chat.recent(1))[0]?.tokens).toBe(stored?.tokens)
      counts.push(stored?.tokens ?? 0)
    }
    const [estimated = 0, exact = 0, length = 0] = counts
    expect(exact).toBeGreaterThan(8)
    expect(estimated).toBeGreaterThanOrEqual(exact)
    expect(length).toBeGreaterThan(content.length)
  })
})
