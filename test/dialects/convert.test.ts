import { describe, expect, expectTypeOf, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { AnthropicRequest } from '../../src/dialects/anthropic/request.ts'
import { convert } from '../../src/dialects/convert.ts'
import { lint } from '../../src/dialects/lint.ts'
import { repair } from '../../src/dialects/repair.ts'
import type { OpenAIMessage } from '../../src/dialects/openai/types.ts'
import { allDialects, wireDialects } from './generators.ts'

function failure(run: () => unknown): MemoryError {
  try {
    run()
  } catch (error) {
    if (MemoryError.is(error)) return error
    throw error
  }
  throw new Error('Nothing was thrown')
}

describe('convert', () => {
  it.each(allDialects)('[msg-11] refuses what is not of the dialect it was said to be: %s', (from) => {
    const error = failure(() => convert({ strange: true }, { from, to: 'daybook' }))
    expect(error.code).toBe('dialect/unreadable')
    expect(error.message).toContain(`"${from}"`)
    expect(error.message).toContain('an object with keys strange')
    expect(error.message).toContain('expected an array')
  })

  it('[msg-11] takes the bytes of stored images from `blobs`, and says which are missing', () => {
    const drafts: readonly Draft[] = [
      {
        role: 'user',
        parts: [{ type: 'image', mediaType: 'image/png', source: { type: 'blob', hash: 'abc', bytes: 3 } }],
      },
    ]
    const blobs = new Map([['abc', new Uint8Array([1, 2, 3])]])
    for (const to of wireDialects) {
      expect(JSON.stringify(convert(drafts, { from: 'daybook', to, blobs }))).toContain('AQID')
      const error = failure(() => convert(drafts, { from: 'daybook', to }))
      expect(error.code).toBe('dialect/missing-blob')
      expect(error.details['hash']).toBe('abc')
    }
    expect(convert(drafts, { from: 'daybook', to: 'daybook' })).toEqual(drafts)
  })

  it('[msg-11] keeps half-written arguments in the log and wraps them for a provider', () => {
    const drafts: readonly Draft[] = [
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'f', arguments: '{"city":"Par' }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', output: { type: 'text', text: 'x' } }] },
    ]
    const { messages } = convert(drafts, { from: 'daybook', to: 'anthropic' })
    expect(messages[1]?.content).toEqual([
      { type: 'tool_use', id: 'c1', name: 'f', input: { rawInvalidInput: '{"city":"Par' } },
    ])
    const [, assistant] = convert(drafts, { from: 'daybook', to: 'openai' })
    expect(assistant).toMatchObject({
      tool_calls: [{ function: { arguments: '{"rawInvalidInput":"{\\"city\\":\\"Par"}' } }],
    })
    const broken = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"city":"Par' } }],
      },
    ]
    expect(convert(broken, { from: 'openai', to: 'daybook' })[0]?.parts).toMatchObject([{ arguments: '{"city":"Par' }])
  })

  it('[msg-13] marks system text that had to become user text', () => {
    const drafts: readonly Draft[] = [
      { role: 'user', parts: [{ type: 'text', text: 'one' }] },
      { role: 'system', parts: [{ type: 'text', text: 'Now in Paris.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'two' }] },
    ]
    const marked = '<system-message>\nNow in Paris.\n</system-message>'
    expect(convert(drafts, { from: 'daybook', to: 'anthropic' }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: marked },
          { type: 'text', text: 'two' },
        ],
      },
    ])
    expect(convert(drafts, { from: 'daybook', to: 'anthropic', model: 'claude-opus-4-8' }).messages[1]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Now in Paris.' }],
    })
    expect(convert(drafts, { from: 'daybook', to: 'openai' })[1]).toEqual({ role: 'system', content: 'Now in Paris.' })
  })

  it('[msg-11] reads LangChain messages in all three forms', () => {
    const wanted = [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'f', output: { type: 'text', text: 'x' } }] },
    ]
    const call = { content: '', tool_calls: [{ id: 'c1', name: 'f', args: { a: 1 }, type: 'tool_call' }] }
    const result = { content: 'x', tool_call_id: 'c1' }
    const constructed = (name: string, kwargs: object): object => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', name],
      kwargs,
    })
    const forms: readonly (readonly object[])[] = [
      [
        { type: 'human', data: { content: 'hi' } },
        { type: 'ai', data: call },
        { type: 'tool', data: result },
      ],
      [
        constructed('HumanMessage', { content: 'hi' }),
        constructed('AIMessageChunk', call),
        constructed('ToolMessage', result),
      ],
      [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
      ],
    ]
    for (const form of forms) {
      expect(convert(form, { from: 'langchain', to: 'daybook' })).toEqual(wanted)
      expect(lint(form, 'langchain')).toEqual([])
    }
  })

  it('[msg-11] carries an answered approval from the UI to the SDK, which then runs the call itself', () => {
    const approval = { id: 'ap', approved: true }
    const wire = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
      {
        id: 'a',
        role: 'assistant',
        parts: [{ type: 'tool-f', toolCallId: 'c1', state: 'approval-responded', input: {}, approval }],
      },
    ]
    const prompt = convert(wire, { from: 'ai-sdk-ui', to: 'ai-sdk' })
    expect(prompt.messages.slice(1).map((message) => message.content.map((part) => part.type))).toEqual([
      ['tool-call', 'tool-approval-request'],
      ['tool-approval-response'],
    ])
    expect(lint(prompt, 'ai-sdk')).toEqual([])
  })

  it('[msg-11] reads bytes and URL objects, which model messages hold in memory', () => {
    const content = [
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
      { type: 'image', image: new URL('https://example.com/a.png') },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'AQID' } },
    ]
    expect(convert([{ role: 'user', content }], { from: 'ai-sdk', to: 'daybook' })[0]?.parts).toEqual([
      { type: 'image', source: { type: 'base64', base64: 'AQID' }, mediaType: 'image/png' },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'file', source: { type: 'base64', base64: 'AQID' }, mediaType: 'application/pdf' },
    ])
  })

  it('[msg-13] keeps results with their calls where Gemini sends no ids', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { n: 1 } } }, { functionCall: { name: 'f', args: { n: 2 } } }],
      },
    ]
    const drafts = convert(contents, { from: 'gemini', to: 'daybook' })
    const ids = drafts.flatMap((draft) => draft.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])))
    const results = ids.map((callId) => ({
      type: 'tool-result',
      callId,
      output: { type: 'text', text: `of ${callId}` },
    }))
    const answered = convert([...drafts, { role: 'tool', parts: results.toReversed() }], {
      from: 'daybook',
      to: 'gemini',
    })
    expect(answered.contents[2]?.parts).toEqual(
      ids.map((id) => ({ functionResponse: { name: 'f', response: { name: 'f', content: `of ${id}` } } })),
    )
  })

  it('[msg-11] is typed by the dialects it is given', () => {
    const chat = [{ role: 'user', content: 'hi' }]
    expectTypeOf(convert(chat, { from: 'openai', to: 'anthropic' })).toEqualTypeOf<AnthropicRequest>()
    expectTypeOf(convert(chat, { from: 'openai', to: 'openai' })).toEqualTypeOf<OpenAIMessage[]>()
    expectTypeOf(repair(chat, 'anthropic')).toMatchTypeOf<AnthropicRequest['messages']>()
    expectTypeOf(repair({ messages: chat } as unknown, 'anthropic')).toMatchTypeOf<AnthropicRequest>()
  })
})

describe('repair', () => {
  it('[msg-12] says what it did, where and why', () => {
    const wire = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
      { role: 'user', content: 'wait' },
      { role: 'tool', tool_call_id: 'c1', content: 'late' },
      { role: 'tool', tool_call_id: 'zz', content: 'lost' },
    ]
    const fixed = repair(wire, 'openai')
    expect(fixed).toEqual([
      wire[0],
      wire[1],
      { role: 'tool', tool_call_id: 'c1', content: 'late' },
      { role: 'tool', tool_call_id: 'c2', content: '[no result: interrupted]' },
      wire[2],
      { role: 'user', content: '[tool result without its call: "zz"] "lost"' },
    ])
    expect(fixed.changes.map(({ rule, path, action }) => ({ rule, path, action }))).toEqual(
      expect.arrayContaining([
        { rule: 'C3', path: [3], action: 'moved' },
        { rule: 'C2', path: [1, 'tool_calls', 1], action: 'synthesised' },
        { rule: 'C2', path: [4], action: 'rewrote' },
      ]),
    )
    expect(JSON.stringify(fixed)).not.toContain('"changes"')
  })

  it('[msg-12] rewrites only what needs it', () => {
    const fine = { role: 'user', content: 'a string stays a string', name: 'ada', unknown: 1 }
    const fixed = repair([fine, { role: 'assistant', content: '' }], 'openai')
    expect(fixed).toEqual([fine])
    expect(fixed[0]).toBe(fine)
  })

  it('[msg-12] gives a bare array for a bare array, and keeps the other fields of a request', () => {
    const request = { model: 'claude', max_tokens: 9, system: 'x', messages: [{ role: 'user', content: '' }] }
    expect(repair(request as unknown, 'anthropic')).toEqual({
      model: 'claude',
      max_tokens: 9,
      system: [{ type: 'text', text: 'x' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: '[empty conversation]' }] }],
    })
    expect(repair([{ role: 'user', content: '' }], 'anthropic')).toEqual([
      { role: 'user', content: [{ type: 'text', text: '[empty conversation]' }] },
    ])
    expect(repair({ model: 'gpt', messages: [{ role: 'user', content: 'x' }] } as unknown, 'openai')).toEqual([
      { role: 'user', content: 'x' },
    ])
  })

  it.each(allDialects)('[msg-12] gives one line for nothing at all: %s', (dialect) => {
    for (const nothing of [null, undefined, 0, 'text', {}, [], [null], { messages: null }]) {
      const fixed = repair(nothing as unknown, dialect)
      expect(JSON.stringify(fixed)).toContain('[empty conversation]')
      expect(
        lint(fixed, dialect, { unconfirmed: 'error' }).filter((violation) => violation.severity === 'error'),
      ).toEqual([])
    }
  })

  it('[msg-12] takes time in proportion to the transcript, also when every id is the same', () => {
    const pair = [
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'same', name: 'f', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'same', output: { type: 'text', text: 'x' } }] },
    ]
    const cost = (pairs: number): number => {
      const transcript = Array.from({ length: pairs }, () => structuredClone(pair)).flat()
      const { user } = process.cpuUsage()
      expect(repair(transcript, 'daybook')).toHaveLength(2 * pairs)
      return process.cpuUsage().user - user
    }
    cost(1_000)
    // Ten times as many would cost a hundred times as much if each looked at all others.
    expect(cost(20_000) / cost(2_000)).toBeLessThan(50)
  })

  it('[msg-12] survives nesting deeper than the stack', () => {
    let deep: unknown = 'end'
    for (let depth = 0; depth < 50_000; depth++) deep = { input: deep }
    for (const dialect of allDialects)
      expect(() =>
        repair(
          [
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: 't', name: 'f', input: deep }],
              parts: [{ type: 'data', kind: 'structured', data: deep }],
            },
          ],
          dialect,
        ),
      ).not.toThrow()
  })
})
