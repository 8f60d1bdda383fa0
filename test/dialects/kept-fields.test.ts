import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../src/domain/dialect.ts'
import { convert } from '../../src/dialects/convert.ts'
import { lint } from '../../src/dialects/lint.ts'
import { repair } from '../../src/dialects/repair.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { mutate, mutation, runs } from './generators.ts'

interface Kept {
  readonly dialect: Exclude<Dialect, 'daybook'>
  readonly what: string
  readonly messages: readonly unknown[]
}

const BYTES = 'iVBORw0KGgo='
const head = { additional_kwargs: {}, response_metadata: {} }
const asked = { type: 'human', data: { ...head, content: 'x' } }

/** Valid transcripts with fields and blocks that no other dialect has a word for. */
const kept: readonly Kept[] = [
  {
    dialect: 'gemini',
    what: 'names of media, and what a call and a response say besides arguments and content',
    messages: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: BYTES, displayName: 'cat' } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/clip', displayName: 'clip' } },
        ],
      },
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args: {}, willContinue: true } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f', response: { n: 1 }, scheduling: 'SILENT', willContinue: false } },
        ],
      },
    ],
  },
  {
    dialect: 'gemini',
    what: 'media inside a response beside an object of the tool',
    messages: [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'a',
              name: 'f',
              response: { ok: true, image: { $ref: 'cat' } },
              parts: [
                { inlineData: { mimeType: 'image/png', data: BYTES, displayName: 'cat' } },
                { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/doc', displayName: 'doc' } },
              ],
            },
          },
        ],
      },
    ],
  },
  {
    dialect: 'openai',
    what: 'a file that only its id names',
    messages: [
      { role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] },
      { role: 'assistant', content: 'ok' },
    ],
  },
  {
    dialect: 'openai',
    what: 'a detail of images that came later',
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'original' } }],
      },
    ],
  },
  {
    dialect: 'openai-responses',
    what: 'a detail of images that came later',
    messages: [
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_image', image_url: 'https://a.example/b.png', detail: 'original' }],
      },
    ],
  },
  {
    dialect: 'openai-responses',
    what: 'images and files of a result that only their id names',
    messages: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_image', file_id: 'file_1', detail: 'auto' },
          { type: 'input_text', text: 'z' },
          { type: 'input_file', file_id: 'file_2' },
        ],
      },
    ],
  },
  {
    dialect: 'langchain',
    what: 'standard media blocks with their own fields',
    messages: [
      {
        type: 'human',
        data: {
          ...head,
          content: [
            {
              type: 'image',
              mimeType: 'image/png',
              data: BYTES,
              metadata: { title: 't' },
              cache_control: { type: 'ephemeral' },
            },
            { type: 'image', url: 'https://a.example/b.png', id: 'i1' },
            {
              type: 'file',
              mimeType: 'application/pdf',
              data: BYTES,
              metadata: { filename: 'f', title: 't' },
              extras: { x: 1 },
            },
            { type: 'audio', source_type: 'base64', mime_type: 'audio/wav', data: BYTES },
          ],
        },
      },
    ],
  },
  {
    dialect: 'langchain',
    what: 'calls that stand among the blocks as well, in their place',
    messages: [
      asked,
      {
        type: 'ai',
        data: {
          ...head,
          content: [
            { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 }, caller: { type: 'direct' } },
            { type: 'text', text: 'meanwhile' },
            { type: 'tool_call', id: 'b', name: 'f', args: {}, extras: { thoughtSignature: 's' } },
          ],
          tool_calls: [
            { type: 'tool_call', id: 'a', name: 'f', args: { n: 1 } },
            { type: 'tool_call', id: 'b', name: 'f', args: {} },
          ],
        },
      },
      { type: 'tool', data: { ...head, content: 'x', tool_call_id: 'a', status: 'success', name: 'f' } },
      { type: 'tool', data: { ...head, content: 'y', tool_call_id: 'b', status: 'success', name: 'f' } },
    ],
  },
  {
    dialect: 'langchain',
    what: 'blocks of a result that are neither text nor media',
    messages: [
      asked,
      { type: 'ai', data: { ...head, content: '', tool_calls: [{ type: 'tool_call', id: 'a', name: 'f', args: {} }] } },
      {
        type: 'tool',
        data: {
          ...head,
          content: [
            { type: 'search_result', source: 's', title: 't' },
            { type: 'text', text: 'x' },
          ],
          tool_call_id: 'a',
          status: 'success',
          name: 'f',
        },
      },
    ],
  },
  {
    dialect: 'langchain',
    what: 'a reasoning item of OpenAI with its encrypted content',
    messages: [
      asked,
      {
        type: 'ai',
        data: {
          ...head,
          content: [
            { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'e' },
            { type: 'text', text: 'y', annotations: [] },
          ],
        },
      },
    ],
  },
]

/** Calls that a person approved and that the SDK will run: valid without a result, at the end only. */
const approved: readonly Kept[] = [
  {
    dialect: 'ai-sdk-ui',
    what: 'a call that was approved and did not run yet',
    messages: [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
      {
        id: '2',
        role: 'assistant',
        parts: [
          { type: 'tool-f', toolCallId: 'a', state: 'output-available', input: {}, output: 1 },
          {
            type: 'tool-f',
            toolCallId: 'b',
            state: 'approval-responded',
            input: {},
            approval: { id: 'p', approved: true },
          },
        ],
      },
    ],
  },
  {
    dialect: 'ai-sdk',
    what: 'a call that was approved and did not run yet',
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'b', toolName: 'f', input: {} },
          { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'b' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] },
    ],
  },
]

/** A user message that mixes answers and words: valid, but two messages in our own words. */
const mixed: Kept = {
  dialect: 'gemini',
  what: 'answers and words in one content',
  messages: [
    { role: 'user', parts: [{ text: 'x' }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'f', args: {} } }] },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'f', response: { n: 1 } } },
        { functionResponse: { name: 'f', response: { n: 2 } } },
        { text: 'and?' },
      ],
    },
  ],
}

function messagesOf(wire: object): readonly unknown[] {
  if (Array.isArray(wire)) return wire
  return ('contents' in wire ? wire.contents : (wire as { messages: unknown }).messages) as readonly unknown[]
}

describe.each(kept)('$dialect: $what', ({ dialect, messages }) => {
  it('[msg-12] is clean', () => {
    const errors = lint(messages, dialect, { unconfirmed: 'error' }).filter(({ severity }) => severity === 'error')
    expect(errors).toEqual([])
  })

  it('[msg-1] [msg-13] comes back from the log as it was', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const chat = memory.scope('a').session('s')
    const drafts = convert(messages, { from: dialect, to: 'daybook' })
    await chat.append(drafts)
    const stored = await chat.history()
    // Ids that the log made are not of the transcript.
    const back = stored.map(({ id, ...message }, index) => ({
      ...message,
      ...(drafts[index]?.id === id ? { id } : {}),
    }))
    const blobs = await chat.blobs(stored)
    expect(messagesOf(convert(back, { from: 'daybook', to: dialect, blobs }))).toEqual(messages)
  })
})

it.each([...kept, ...approved, mixed])(
  '[msg-12] damage elsewhere leaves it alone: $dialect, $what',
  ({ dialect, messages }) => {
    const fixed = repair([...messages, { nonsense: true }], dialect)
    expect(messagesOf(fixed)).toEqual(messages)
  },
)

it('[msg-12] after damage they are clean again, and a second repair changes nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...kept, ...approved, mixed),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      ({ dialect, messages }, mutations) => {
        const once = repair(mutations.reduce<unknown>(mutate, messages), dialect)
        const errors = lint(once, dialect, { unconfirmed: 'error' }).filter(({ severity }) => severity === 'error')
        expect(errors).toEqual([])
        expect(repair(once as unknown, dialect)).toEqual(once)
        const drafts = convert(once, { from: dialect, to: 'daybook' })
        const back = convert(drafts, { from: 'daybook', to: dialect })
        expect(lint(back, dialect).filter(({ severity }) => severity === 'error')).toEqual([])
      },
    ),
    runs(600),
  )
})
