import type {
  EmbeddingModelV2,
  EmbeddingModelV3,
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
} from '@ai-sdk/provider'
import { createOpenAI } from '@ai-sdk/openai'
import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Embedder } from '../../src/ports/embedder.ts'
import type { AISDKEmbedOptions } from '../../src/providers/ai-sdk-embedder.ts'
import { type EmbedderInput, toEmbedder } from '../../src/providers/embedder.ts'
import { hashEmbedder } from '../../src/providers/hash-embedder.ts'
import { adversarialString } from '../property/strings.ts'

const { signal } = new AbortController()
const texts = ['one', 'two', 'three']
const embeddings = [
  [1, 0],
  [0, 1],
  [1, 1],
]

describe('[recall-9] embedding models of the AI SDK', () => {
  it('are accepted by type in versions 2, 3 and 4, and take what they are called with', () => {
    expectTypeOf<EmbeddingModelV2<string>>().toExtend<EmbedderInput>()
    expectTypeOf<EmbeddingModelV3>().toExtend<EmbedderInput>()
    expectTypeOf<EmbeddingModelV4>().toExtend<EmbedderInput>()
    expectTypeOf<AISDKEmbedOptions>().toExtend<EmbeddingModelV4CallOptions>()
  })

  it('are called and read in version 2', async () => {
    const calls: unknown[] = []
    const model: EmbeddingModelV2<string> = {
      specificationVersion: 'v2',
      provider: 'p',
      modelId: 'm',
      maxEmbeddingsPerCall: undefined,
      supportsParallelCalls: true,
      doEmbed: async (options) => {
        calls.push(options)
        return { embeddings, usage: { tokens: 7 } }
      },
    }
    const embedder = toEmbedder(model)
    expect(embedder).toMatchObject({ name: 'p/m', dimensions: undefined })
    expect(await embedder.embed({ texts, signal })).toEqual({ vectors: embeddings, tokens: 7 })
    expect(calls).toEqual([{ values: texts, abortSignal: signal }])
  })

  it('are called and read in version 3, no more texts at once than they take', async () => {
    const model = new MockEmbeddingModelV3({
      maxEmbeddingsPerCall: 2,
      doEmbed: async ({ values }) => ({
        embeddings: values.map((value) => [value.length]),
        usage: { tokens: values.length },
        warnings: [],
      }),
    })
    expect(await toEmbedder(model).embed({ texts, signal })).toEqual({ vectors: [[3], [3], [5]], tokens: 3 })
    expect(model.doEmbedCalls.map(({ values }) => values)).toEqual([['one', 'two'], ['three']])
  })

  it('are called and read in version 4, with a limit that comes later', async () => {
    const model = new MockEmbeddingModelV4({
      maxEmbeddingsPerCall: Promise.resolve(1),
      doEmbed: async () => ({ embeddings: [[1, 0]], warnings: [] }),
    })
    expect(await toEmbedder(model).embed({ texts, signal })).toEqual({
      vectors: [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
    })
    expect(model.doEmbedCalls).toHaveLength(3)
  })

  it('of a real provider are called as it wants', async () => {
    const bodies: unknown[] = []
    const openai = createOpenAI({
      apiKey: 'none',
      fetch: async (_, init) => {
        bodies.push(JSON.parse(String(init?.body)))
        const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }))
        return Response.json({ object: 'list', data, model: 'm', usage: { prompt_tokens: 5, total_tokens: 5 } })
      },
    })
    const embedder = toEmbedder(openai.embeddingModel('text-embedding-3-small'))
    expect(embedder.name).toBe('openai.embedding/text-embedding-3-small')
    expect(await embedder.embed({ texts, signal })).toEqual({ vectors: embeddings, tokens: 5 })
    expect(bodies).toMatchObject([{ model: 'text-embedding-3-small', input: texts }])
    expect(() => toEmbedder(openai)).toThrow(/embedder is a provider, expected one of its models/)
  })

  it('of another version, and answers of no known form, are refused', async () => {
    expect(() => toEmbedder({ specificationVersion: 'v9', doEmbed: () => 0 })).toThrow(
      /specification "v9", expected v2, v3 or v4/,
    )
    for (const answer of [null, 'text', {}, { embeddings: 'x' }]) {
      const doEmbed = async (): Promise<never> => answer as never
      await expect(toEmbedder(new MockEmbeddingModelV4({ doEmbed })).embed({ texts, signal })).rejects.toMatchObject({
        code: 'input/invalid',
      })
    }
  })
})

describe('[recall-9] an embedder', () => {
  it('may be a function', async () => {
    const embedder = toEmbedder(async function lengths(values: readonly string[]) {
      return values.map((value) => [value.length])
    })
    expect(embedder.name).toBe('lengths')
    expect(await embedder.embed({ texts, signal })).toEqual({ vectors: [[3], [3], [5]] })
    expect(toEmbedder(() => [])).toMatchObject({ name: 'function' })
  })

  it('may be the port, and may be given a name and dimensions', async () => {
    const port: Embedder = { name: 'mine', dimensions: 2, embed: async () => ({ vectors: embeddings }) }
    expect(await toEmbedder(port).embed({ texts, signal })).toEqual({ vectors: embeddings })
    expect(toEmbedder({ model: () => embeddings, name: 'n', dimensions: 2 })).toMatchObject({
      name: 'n',
      dimensions: 2,
    })
    const model = new MockEmbeddingModelV4({ provider: 'p', modelId: 'm' })
    expect(toEmbedder({ model, dimensions: 2 })).toMatchObject({ name: 'p/m', dimensions: 2 })
  })

  it.each([undefined, null, 7, 'text-embedding-3-small', {}, [], { name: 'x' }, { embed: () => [] }, { model: 'x' }])(
    'is not %j',
    (value) => {
      expect(() => toEmbedder(value)).toThrow(/^Cannot use the embedder: embedder is /)
    },
  )

  it.each([0, -1, 1.5, '384', Number.NaN])('does not have %j dimensions', (dimensions) => {
    expect(() => toEmbedder({ model: () => [], dimensions })).toThrow(/whole number of dimensions/)
  })

  it('is named in errors, but what it holds is not', () => {
    try {
      toEmbedder({ apiKey: 'secret' })
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('secret')
    }
  })
})

describe('[recall-9] the hashing embedder', () => {
  const cosine = async (a: string, b: string): Promise<number> => {
    const { vectors } = await hashEmbedder().embed({ texts: [a, b], signal })
    const [x = [], y = []] = vectors.map((vector) => Array.from(vector))
    const dot = (left: readonly number[], right: readonly number[]): number =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0)
    return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))
  }

  it('puts what shares words, or nearly, nearer than what does not', async () => {
    const question = 'Which teas does Ada prefer?'
    expect(await cosine(question, 'Ada preferred green tea')).toBeGreaterThan(
      await cosine(question, 'The parcel is late'),
    )
    expect(await cosine('réservation', 'reservation')).toBeCloseTo(1, 6)
    expect(await cosine('東京で寿司を食べた', '寿司')).toBeGreaterThan(await cosine('東京で寿司を食べた', '音楽'))
  })

  it('answers the same everywhere', async () => {
    const [vector] = (await hashEmbedder().embed({ texts: ['Ada likes tea'], signal })).vectors
    const top = Array.from(vector ?? [], (value, index) => [index, value] as const)
      .filter(([, value]) => Math.abs(value) >= 1)
      .map(([index]) => index)
    expect(top).toEqual([77, 79, 100])
  })

  it('has a vector of 384 numbers and some direction for every text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(adversarialString, fc.constant(''), fc.constant(' ')), async (text) => {
        const { vectors } = await hashEmbedder().embed({ texts: [text], signal })
        const values = Array.from(vectors[0] ?? [])
        expect(values).toHaveLength(384)
        expect(values.every(Number.isFinite) && values.some((value) => value !== 0)).toBe(true)
      }),
    )
  })
})
