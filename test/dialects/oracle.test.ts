import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { convert } from '../../src/dialects/convert.ts'
import type { Draft } from '../../src/domain/message.ts'
import { conversations } from './conversations.ts'

type Body = Readonly<Record<string, unknown>>

/** Runs the SDK's own provider on our `ai-sdk` form and gives back the JSON that it would have sent. */
async function recorded(
  make: (fetch: typeof globalThis.fetch) => LanguageModel,
  drafts: readonly Draft[],
  store?: boolean,
): Promise<Body> {
  let body: Body | undefined
  const model = make((_url, init) => {
    body = JSON.parse(String(init?.body)) as Body
    return Promise.reject(new Error('recorded'))
  })
  const prompt = convert(drafts, { from: 'daybook', to: 'ai-sdk' })
  const providerOptions = store === undefined ? {} : { openai: { store } }
  await generateText({ model, ...prompt, maxRetries: 0, providerOptions }).catch((error: unknown) => {
    if (body === undefined) throw error
  })
  if (body === undefined) throw new Error('The provider sent nothing')
  return body
}

/** JSON as it would arrive: without keys whose value is undefined. */
function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

const names = Object.keys(conversations)
const keyed = { apiKey: 'none' }

describe("[msg-14] our requests equal those of the AI SDK's providers", () => {
  it.each(names)('anthropic: %s', async (name) => {
    const drafts = conversations[name] ?? []
    const body = await recorded((fetch) => createAnthropic({ ...keyed, fetch })('claude-sonnet-4-0'), drafts)
    const ours = convert(drafts, { from: 'daybook', to: 'anthropic' })
    expect(json(ours)).toEqual({
      messages: body['messages'],
      ...(body['system'] === undefined ? {} : { system: body['system'] }),
    })
  })

  it.each(names)('openai chat: %s', async (name) => {
    const drafts = conversations[name] ?? []
    const body = await recorded((fetch) => createOpenAI({ ...keyed, fetch }).chat('gpt-4o'), drafts)
    expect(json(convert(drafts, { from: 'daybook', to: 'openai' }))).toEqual(withoutMediaJSON(body['messages']))
  })

  it.each(names)('openai responses: %s', async (name) => {
    const drafts = conversations[name] ?? []
    const body = await recorded((fetch) => createOpenAI({ ...keyed, fetch }).responses('gpt-4o'), drafts, false)
    const ours = json(convert(drafts, { from: 'daybook', to: 'openai-responses' })) as Body[]
    expect(ours.map(plainItem)).toEqual((body['input'] as Body[]).map(plainItem))
  })

  it.each(names)('gemini: %s', async (name) => {
    const drafts = conversations[name] ?? []
    const model = 'gemini-2.5-pro'
    const body = await recorded((fetch) => createGoogle({ ...keyed, fetch })(model), drafts)
    const ours = json(convert(drafts, { from: 'daybook', to: 'gemini', model }))
    expect(ours).toEqual(plainGemini(body))
  })

  it.each(names)('gemini 3: %s', async (name) => {
    const drafts = conversations[name] ?? []
    const model = 'gemini-3-pro-preview'
    const body = await recorded((fetch) => createGoogle({ ...keyed, fetch })(model), drafts)
    const ours = json(convert(drafts, { from: 'daybook', to: 'gemini', model })) as Body
    expect(plainGemini(ours)).toEqual(plainGemini(body))
  })

  it('gemini 3: a call of the current turn without signature gets the documented stand-in, as in the SDK', async () => {
    const drafts = conversations['results in several tool messages'] ?? []
    const model = 'gemini-3-pro-preview'
    const body = await recorded((fetch) => createGoogle({ ...keyed, fetch })(model), drafts)
    const ours = convert(drafts, { from: 'daybook', to: 'gemini', model })
    const theirs = (body['contents'] as { parts: Body[] }[])[1]?.parts[0]
    expect(ours.contents[1]?.parts[0]).toEqual(theirs)
    expect(theirs?.['thoughtSignature']).toBe('skip_thought_signature_validator')
  })

  it('images by URL: anthropic, openai chat and responses (Google downloads them instead)', async () => {
    const drafts: readonly Draft[] = [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'look' },
          {
            type: 'image',
            source: { type: 'url', url: 'https://example.com/a.png' },
            mediaType: 'image/png',
            detail: 'low',
          },
        ],
      },
    ]
    const claude = await recorded((fetch) => createAnthropic({ ...keyed, fetch })('claude-sonnet-4-0'), drafts)
    expect(convert(drafts, { from: 'daybook', to: 'anthropic' }).messages).toEqual(claude['messages'])
    const chat = await recorded((fetch) => createOpenAI({ ...keyed, fetch }).chat('gpt-4o'), drafts)
    expect(convert(drafts, { from: 'daybook', to: 'openai' })).toEqual(chat['messages'])
    const responses = await recorded((fetch) => createOpenAI({ ...keyed, fetch }).responses('gpt-4o'), drafts, false)
    expect(
      convert(drafts, { from: 'daybook', to: 'openai-responses' }).map((item) => plainItem(item as unknown as Body)),
    ).toEqual((responses['input'] as Body[]).map(plainItem))
  })

  it('openai responses with storage: what the SDK sends by reference, we send whole under the same ids', async () => {
    const drafts = conversations['reasoning, a call and its result'] ?? []
    const body = await recorded((fetch) => createOpenAI({ ...keyed, fetch }).responses('gpt-5'), drafts, true)
    const ours = convert(drafts, { from: 'daybook', to: 'openai-responses' }) as unknown as Body[]
    const references = (body['input'] as Body[])
      .filter((item) => item['type'] === 'item_reference')
      .map((item) => item['id'])
    expect(references).toEqual(['rs_1'])
    expect(ours.filter((item) => item['type'] === 'reasoning').map((item) => item['id'])).toEqual(references)
  })
})

/**
 * Normalisation, chat: the SDK sends a tool's media as the JSON text of its own parts, base64 included, which no
 * model can see. We send the texts, and `[image: …]` where a picture was.
 */
function withoutMediaJSON(messages: unknown): unknown {
  return (messages as Body[]).map((message) => {
    const content = message['content']
    if (message['role'] !== 'tool' || typeof content !== 'string' || !content.startsWith('[{"type"')) return message
    const parts = JSON.parse(content) as readonly Body[]
    return {
      ...message,
      content: parts.map((part) =>
        part['type'] === 'text' ? { type: 'text', text: part['text'] } : { type: 'text', text: '[image: image/png]' },
      ),
    }
  })
}

/**
 * Normalisations, gemini:
 * - the SDK puts the stand-in signature on every unsigned call of the whole history; the API asks for it on the first
 *   call of each step of the current turn only, and that is where we put it (the test above compares it there).
 * - beside media of a result the SDK adds a sentence of its own for models before Gemini 3.
 */
function plainGemini(body: Body): Body {
  const contents = (body['contents'] as { role: string; parts: Body[] }[]).map((content) => {
    const parts = content.parts.flatMap((part) => {
      if (String(part['text']).startsWith('Tool executed successfully')) return []
      const { thoughtSignature, ...rest } = part
      return [thoughtSignature === 'skip_thought_signature_validator' ? rest : part]
    })
    return { ...content, parts }
  })
  const { systemInstruction } = body
  return { contents, ...(systemInstruction === undefined ? {} : { systemInstruction }) }
}

/**
 * Normalisations, responses:
 * - `type: 'message'` may be left out by the API's rules; we write it so that items can be told apart by one field.
 * - a function call's own id (`fc_…`) is dropped by the SDK; we keep it, as the API's examples do.
 * - assistant text with an id is sent by the SDK as plain content when nothing is stored; we send the item as it came.
 */
function plainItem(item: Body): Body {
  const { type, id, status, content, ...rest } = item
  const isMessage = type === undefined || type === 'message'
  const texts =
    Array.isArray(content) && item['role'] === 'assistant'
      ? (content as Body[]).map((part) => part['text']).join('')
      : content
  return {
    ...rest,
    type: isMessage ? 'message' : type,
    ...(type === 'reasoning' ? { id } : {}),
    ...(isMessage ? { content: texts } : status === undefined ? {} : { status }),
  }
}

describe('[msg-14] the oracle can fail', () => {
  it('sees the difference that one byte makes', async () => {
    const drafts: readonly Draft[] = [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }]
    const body = await recorded((fetch) => createAnthropic({ ...keyed, fetch })('claude-sonnet-4-0'), drafts)
    const other = convert([{ role: 'user', parts: [{ type: 'text', text: 'b' }] }], {
      from: 'daybook',
      to: 'anthropic',
    })
    expect(other.messages).not.toEqual(body['messages'])
  })
})
