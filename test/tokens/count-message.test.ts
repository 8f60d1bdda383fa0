import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/domain/message.ts'
import type { Part } from '../../src/domain/part.ts'
import type { Tokenizer } from '../../src/ports/tokenizer.ts'
import { REPLY_PRIMING_TOKENS, countMessage } from '../../src/tokens/count-message.ts'
import { SLICE_CHARACTERS_MAX } from '../../src/tokens/count-text.ts'
import { estimator } from '../../src/tokens/estimate.ts'
import { loadTokenizer } from '../../src/tokens/exact.ts'
import { IMAGE_FORMULAS, imageTokens } from '../../src/tokens/image.ts'

/** A token a character: what is counted shows in the sum. */
const characters: Tokenizer = { name: 'characters', exact: true, count: (text) => text.length }

const say = (...parts: readonly Part[]): Draft => ({ role: 'assistant', parts })
const count = (draft: Draft): number | Promise<number> => countMessage(characters, draft)

describe('countMessage', () => {
  it('[tok-1] adds three tokens for a message and one for a name', () => {
    expect(count(say())).toBe(3)
    expect(count(say({ type: 'text', text: 'four' }))).toBe(7)
    expect(count({ ...say(), name: 'ada' })).toBe(3 + 1 + 3)
    expect(REPLY_PRIMING_TOKENS).toBe(3)
  })

  it.each<readonly [name: string, part: Part, tokens: number]>([
    ['text', { type: 'text', text: '12345' }, 5],
    ['reasoning', { type: 'reasoning', text: '12345' }, 5],
    [
      'a tool call: name, id, arguments',
      { type: 'tool-call', id: 'c1', name: 'run', arguments: '{"a":1}' },
      8 + 2 + 3 + 7,
    ],
    ['a half-written tool call', { type: 'tool-call', id: '', name: '', arguments: '{"a' }, 8 + 3],
    [
      'a text result',
      { type: 'tool-result', callId: 'c1', name: 'run', output: { type: 'text', text: 'done' } },
      6 + 2 + 3 + 4,
    ],
    ['a result without a call', { type: 'tool-result', output: { type: 'text', text: 'done' } }, 6 + 4],
    [
      'a JSON result',
      { type: 'tool-result', callId: 'c1', output: { type: 'json', value: { a: [1, null] } } },
      6 + 2 + 14,
    ],
    ['a null result', { type: 'tool-result', callId: 'c1', output: { type: 'json', value: null } }, 6 + 2 + 4],
    [
      'a result of parts',
      {
        type: 'tool-result',
        callId: 'c1',
        output: {
          type: 'parts',
          parts: [
            { type: 'text', text: 'see' },
            { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' }, width: 10, height: 10 },
          ],
        },
      },
      6 + 2 + 3 + imageTokens({ width: 10, height: 10 }),
    ],
    ['an agent call', { type: 'agent-call', id: 'a1', agent: 'bob', request: { x: 1 } }, 8 + 2 + 3 + 7],
    ['data', { type: 'data', kind: 'structured', data: { x: 1 } }, 10 + 7],
    [
      'an image of unknown size',
      { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
      imageTokens({}),
    ],
    [
      'an image file',
      { type: 'file', mediaType: 'image/png', source: { type: 'url', url: 'https://a.test/b' } },
      imageTokens({}),
    ],
    [
      'a page of PDF',
      { type: 'file', mediaType: 'application/pdf', source: { type: 'blob', hash: 'h', bytes: 20_000 } },
      4_600,
    ],
    [
      'ten pages behind a URL',
      { type: 'file', mediaType: 'application/pdf', source: { type: 'url', url: 'u' } },
      46_000,
    ],
    [
      'a text file and its name',
      { type: 'file', mediaType: 'text/csv', name: 'a.csv', source: { type: 'blob', hash: 'h', bytes: 1_000 } },
      405,
    ],
    [
      'a second of sound',
      { type: 'audio', mediaType: 'audio/mp3', transcript: 'hi', source: { type: 'blob', hash: 'h', bytes: 2_000 } },
      34,
    ],
    [
      'a second of raw sound',
      { type: 'audio', mediaType: 'audio/wav', source: { type: 'blob', hash: 'h', bytes: 16_000 } },
      32,
    ],
    ['a minute behind a URL', { type: 'audio', mediaType: 'audio/wav', source: { type: 'url', url: 'u' } }, 1_920],
  ])('[tok-1] counts %s', (_name, part, tokens) => {
    expect(count(say(part))).toBe(3 + tokens)
  })

  it('[tok-1] counts payloads in provider fields by their length, and ids and switches not at all', () => {
    const encrypted = 'A'.repeat(1_000)
    const part: Part = {
      type: 'reasoning',
      text: '',
      provider: { openai: { itemId: 'rs_1', encryptedContent: encrypted } },
    }
    expect(count(say(part))).toBe(3 + 250)
    expect(
      count(say({ type: 'text', text: 'a', provider: { anthropic: { cacheControl: { type: 'ephemeral' } } } })),
    ).toBe(4)
    expect(count({ ...say(), provider: { openai: { blocks: [{ data: encrypted }] } } })).toBe(3 + 250)
  })

  it('[tok-1] does not count what is never sent: id, tags, metadata, time', () => {
    const draft: Draft = {
      ...say(),
      id: 'm1',
      tags: ['a'],
      metadata: { long: 'x'.repeat(500) },
      at: '2024-05-01T00:00:00.000Z',
    }
    expect(count(draft)).toBe(3)
  })

  it('[tok-1] reads the size of an image from its bytes when no one said it', () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000100000000800806000000', 'hex').toString('base64')
    const draft = say({ type: 'image', source: { type: 'base64', base64: png } })
    expect(countMessage(characters, draft, { image: IMAGE_FORMULAS.gpt4o })).toBe(3 + 85 + 170)
    const broken = say({ type: 'image', source: { type: 'base64', base64: '!!!!' } })
    expect(countMessage(characters, broken, { image: IMAGE_FORMULAS.gpt4o })).toBe(3 + 85 + 8 * 170)
  })

  it('[tok-2] leaves a large message to the asynchronous way, which gives the event loop its turns', async () => {
    const large = say({ type: 'text', text: 'word '.repeat(20_000) })
    expect(count(large)).toBeInstanceOf(Promise)
    const sizes: number[] = []
    const recorder: Tokenizer = {
      ...characters,
      count(text) {
        sizes.push(text.length)
        return text.length
      },
    }
    expect(await countMessage(recorder, large)).toBe(3 + 100_000)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(SLICE_CHARACTERS_MAX)
  })

  it('[tok-2] survives provider fields of any depth', () => {
    let deep: { [key: string]: unknown } = {}
    for (let level = 0; level < 100_000; level++) deep = { deep }
    const draft = { role: 'user', parts: [{ type: 'text', text: 'a', provider: deep }] } as unknown as Draft
    expect(count(draft)).toBe(4)
  })

  it('[tok-4] gives one number for one message, on both ways and with every tokenizer', async () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
    const part: fc.Arbitrary<Part> = fc.oneof(
      texts.map((text): Part => ({ type: 'text', text })),
      fc.tuple(texts, texts).map(([name, text]): Part => ({ type: 'tool-call', id: 'c', name, arguments: text })),
      fc
        .jsonValue()
        .map((value): Part => ({ type: 'tool-result', callId: 'c', output: { type: 'json', value: value as null } })),
      texts.map((text): Part => ({ type: 'data', kind: 'structured', data: text })),
    )
    const exact = await loadTokenizer('o200k_base')
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), fc.array(part, { maxLength: 5 }), async (first, second) => {
        for (const tokenizer of [estimator(), estimator('large'), exact]) {
          const both = await countMessage(tokenizer, say(...first, ...second))
          // Parts are counted one by one, so they add up exactly; a message adds its frame.
          expect(both + 3).toBe(
            (await countMessage(tokenizer, say(...first))) + (await countMessage(tokenizer, say(...second))),
          )
        }
      }),
      { numRuns: 50 },
    )
  })
})
