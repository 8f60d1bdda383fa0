import { describe, expect, it } from 'vitest'
import { convert } from '../../src/dialects/convert.ts'
import { fromAISDK } from '../../src/dialects/from-ai-sdk.ts'
import { fromAnthropic } from '../../src/dialects/from-anthropic.ts'
import { fromGemini } from '../../src/dialects/from-gemini.ts'
import { fromOpenAIResponses } from '../../src/dialects/from-openai-responses.ts'
import { fromOpenAI } from '../../src/dialects/from-openai.ts'

describe('[msg-11] replies, ready to append', () => {
  it('a chat completion', () => {
    const reply = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'ok',
            refusal: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
        },
      ],
    }
    expect(fromOpenAI(reply)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'ok' },
          { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' },
        ],
        provider: { openai: { id: 'chatcmpl-1' } },
      },
    ])
  })

  it('a response: items keep their ids, and go back under them', () => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'ok', annotations: [] }],
      },
    ]
    const drafts = fromOpenAIResponses({ id: 'resp_1', object: 'response', output })
    expect(drafts).toHaveLength(1)
    expect(drafts[0]?.id).toBeUndefined()
    expect(drafts[0]?.provider).toEqual({ openai: { id: 'resp_1' } })
    expect(drafts[0]?.parts).toMatchObject([
      { type: 'reasoning', text: '', provider: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } } },
      { type: 'text', text: 'ok', provider: { openai: { itemId: 'msg_1' } } },
    ])
    expect(convert(drafts, { from: 'daybook', to: 'openai-responses' })).toEqual(output)
  })

  it('an Anthropic message', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
    ]
    const drafts = fromAnthropic({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content,
      stop_reason: 'tool_use',
      usage: {},
    })
    expect(drafts).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', provider: { anthropic: { signature: 's' } } },
          { type: 'tool-call', id: 'toolu_1', name: 'f', arguments: '{"a":1}' },
        ],
        provider: { anthropic: { id: 'msg_1' } },
      },
    ])
  })

  it('a Gemini response: calls without ids get ids that differ from reply to reply', () => {
    const candidates = [
      { content: { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'ts' }] } },
    ]
    const [first] = fromGemini({ responseId: 'r1', candidates })
    const [second] = fromGemini({ responseId: 'r2', candidates })
    const [third] = fromGemini({ usageMetadata: { totalTokenCount: 1 }, candidates })
    expect(
      new Set(
        [first, second, third].map((draft) => (draft?.parts[0]?.type === 'tool-call' ? draft.parts[0].id : undefined)),
      ).size,
    ).toBe(3)
    expect(first?.provider).toEqual({ google: { id: 'r1' } })
    const { contents } = convert([first], { from: 'daybook', to: 'gemini' })
    expect(contents.at(-1)?.parts).toEqual([{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'ts' }])
  })

  it('a result of the AI SDK, also one with getters', () => {
    const responseMessages = [
      { role: 'assistant', content: [{ type: 'text', text: 'ok', providerOptions: { openai: { itemId: 'msg_1' } } }] },
    ]
    const wanted = [
      { role: 'assistant', parts: [{ type: 'text', text: 'ok', provider: { openai: { itemId: 'msg_1' } } }] },
    ]
    class Result {
      get responseMessages(): unknown {
        return responseMessages
      }
    }
    expect(fromAISDK(new Result())).toEqual(wanted)
    expect(fromAISDK({ responseMessages })).toEqual(wanted)
    expect(fromAISDK({ response: { messages: responseMessages } })).toEqual(wanted)
    expect(fromAISDK(responseMessages)).toEqual(wanted)
  })

  it.each([
    ['fromOpenAI', fromOpenAI],
    ['fromOpenAIResponses', fromOpenAIResponses],
    ['fromAnthropic', fromAnthropic],
    ['fromGemini', fromGemini],
    ['fromAISDK', fromAISDK],
  ] as const)('%s refuses anything else', (_, read) => {
    for (const wrong of [null, 'text', {}, { error: { message: 'overloaded' } }]) {
      expect(() => read(wrong)).toThrow(expect.objectContaining({ code: 'dialect/unreadable' }))
    }
  })
})
