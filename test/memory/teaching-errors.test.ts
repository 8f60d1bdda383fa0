import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

let memory: Memory
beforeAll(async () => {
  memory = await openMemory(':memory:')
})
afterAll(() => memory.close())

const replies: readonly (readonly [reader: string, reply: unknown])[] = [
  ['fromOpenAI', { id: 'c', object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'hi' } }] }],
  ['fromOpenAIResponses', { id: 'r', object: 'response', output: [] }],
  ['fromAnthropic', { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'hi' }], stop_reason: null }],
  ['fromGemini', { candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] } }] }],
  ['fromAISDK', { text: 'hi', finishReason: 'stop', steps: [], response: { messages: [] } }],
]

const messages: readonly (readonly [message: unknown, says: string])[] = [
  [{ role: 'user', content: 42 }, 'message.content is 42, expected text, a list of parts, or an object'],
  [{ role: 'assistant', content: null }, 'message.content is null, expected content'],
  [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
    `message.content[0].type is "tool_result". This looks like the dialect "anthropic": append(messages, { from: 'anthropic' })`,
  ],
  [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 't', toolName: 'x', input: {} }] },
    `message.content[0]: unknown field "toolCallId". This looks like the dialect "ai-sdk": append(messages, { from: 'ai-sdk' })`,
  ],
  [
    {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }],
    },
    `This looks like the dialect "anthropic": append(messages, { from: 'anthropic' })`,
  ],
  [
    { role: 'user', content: [{ type: 'image', image: 'iVBORw0KGgo=' }] },
    `This looks like the dialect "ai-sdk": append(messages, { from: 'ai-sdk' })`,
  ],
  [
    { type: 'ai', content: 'x', additional_kwargs: {} },
    `This looks like the dialect "langchain": append(messages, { from: 'langchain' })`,
  ],
  [{ role: 'developer', content: 'x' }, 'expected system, user, assistant, tool (developer is called system here)'],
  [{ role: 'Human', content: 'x' }, '(human is called user here)'],
  [
    { role: 'user', content: 'x', metadata: { at: new Date(0) } },
    'message.metadata.at is the Date 1970-01-01T00:00:00.000Z, expected a JSON value',
  ],
  [
    { role: 'user', content: 'x', foo: 1 },
    'unknown field "foo", expected one of role, parts, content, toolCalls, agentCalls, images, data, toolCallId, name, tags, metadata, provider, incomplete, id, at',
  ],
]

describe('[surface-3] a wrong call says what would be right', () => {
  it.each(replies)('%s, where a reply is appended as it is', async (reader, reply) => {
    await expect(
      memory
        .scope('a')
        .session('s')
        .append(reply as never),
    ).rejects.toMatchObject({
      code: 'input/invalid',
      message: expect.stringContaining(`expected messages: append(${reader}(reply))`) as string,
    })
  })

  it.each(messages)('about the message %j', async (message, says) => {
    const failure = await memory
      .scope('a')
      .session('s')
      .append(message as never)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'input/invalid', message: expect.stringContaining(says) as string })
  })

  it('about the names of options', async () => {
    const scope = memory.scope('a')
    const chat = scope.session('s')
    await expect(scope.recall('x', { topK: 3 } as never)).rejects.toThrow('did you mean "limit"?')
    await expect(chat.history({ last: 3 } as never)).rejects.toThrow('did you mean "limit"?')
    await expect(scope.facts({ about: 'Ada' } as never)).rejects.toThrow('did you mean "subject"?')
    await expect(chat.usage({ model: 'x', prompt_tokens: 5 } as never)).rejects.toThrow('did you mean "inputTokens"?')
    await expect(chat.context({ budget: 5_000, policy: 'auto-context' as never })).rejects.toThrow(
      'did you mean "autoContext"?',
    )
    await expect(scope.recall('x', { limit: 0 })).rejects.toThrow('limit is 0, expected a positive whole number')
    await expect(scope.forget('Ada' as never)).rejects.toThrow(
      'Cannot forget: what is "Ada", expected one of { message }, { session }, { block }, { subject }',
    )
    expect(await scope.forget({ subject: 'Nobody' })).toMatchObject({ found: false })
    await expect(chat.undo()).rejects.toThrow('Nothing to undo: session "s" has no compaction in effect')
  })
})
