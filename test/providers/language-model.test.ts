import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, expectTypeOf, it } from 'vitest'

import type { LanguageModel, ModelRequest } from '../../src/ports/language-model.ts'
import type { AISDKCallOptions } from '../../src/providers/ai-sdk-model.ts'
import { type LanguageModelInput, toLanguageModel } from '../../src/providers/language-model.ts'

const request: ModelRequest = {
  system: 'Say what it is.',
  prompt: '{"seq":1}',
  schema: { type: 'object', properties: { gist: { type: 'array', items: { type: 'string' } } } },
  tokensMax: 100,
  signal: new AbortController().signal,
}

const sent = {
  prompt: [
    { role: 'system', content: request.system },
    { role: 'user', content: [{ type: 'text', text: request.prompt }] },
  ],
  maxOutputTokens: 100,
  responseFormat: { type: 'json', schema: request.schema, name: 'summary' },
  abortSignal: request.signal,
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const content = [
  { type: 'reasoning' as const, text: 'hm' },
  { type: 'text' as const, text: '{"gist":' },
  { type: 'text' as const, text: '[]}' },
]

describe('models of the AI SDK', () => {
  it('are accepted by type in versions 2, 3 and 4, and take what they are called with', () => {
    expectTypeOf<LanguageModelV2>().toExtend<LanguageModelInput>()
    expectTypeOf<LanguageModelV3>().toExtend<LanguageModelInput>()
    expectTypeOf<LanguageModelV4>().toExtend<LanguageModelInput>()
    expectTypeOf<AISDKCallOptions>().toExtend<LanguageModelV2CallOptions>()
    expectTypeOf<AISDKCallOptions>().toExtend<LanguageModelV3CallOptions>()
    expectTypeOf<AISDKCallOptions>().toExtend<LanguageModelV4CallOptions>()
  })

  it('are called and read in version 2', async () => {
    // The AI SDK exports no double of this version any more.
    const calls: LanguageModelV2CallOptions[] = []
    const mock: LanguageModelV2 = {
      specificationVersion: 'v2',
      provider: 'mock-provider',
      modelId: 'mock-model-id',
      supportedUrls: {},
      async doGenerate(options) {
        calls.push(options)
        return {
          content,
          finishReason: 'stop',
          usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
          warnings: [],
        }
      },
      doStream: () => Promise.reject(new Error('not used')),
    }
    const model = toLanguageModel(mock)
    expect(model.name).toBe('mock-provider/mock-model-id')
    expect(await model.generate(request)).toEqual({
      text: '{"gist":[]}',
      usage: { inputTokens: 10, outputTokens: 5 },
      finish: 'stop',
    })
    expect(calls).toEqual([sent])
  })

  it('are called and read in version 3', async () => {
    const mock = new MockLanguageModelV3({
      doGenerate: { content, finishReason: { unified: 'length', raw: 'max_tokens' }, usage, warnings: [] },
    })
    expect(await toLanguageModel(mock).generate(request)).toEqual({
      text: '{"gist":[]}',
      usage: { inputTokens: 10, outputTokens: 5 },
      finish: 'length',
    })
    expect(mock.doGenerateCalls).toEqual([sent])
  })

  it('are called and read in version 4, where one text may be the structured one', async () => {
    const answer = { content, finishReason: { unified: 'stop' as const, raw: 'stop' }, usage, warnings: [] }
    const mock = new MockLanguageModelV4({
      doGenerate: [
        answer,
        { ...answer, structuredOutputText: '{"gist":["x"]}' },
        { ...answer, structuredOutputText: '' },
      ],
    })
    const model = toLanguageModel(mock)
    expect(await model.generate(request)).toMatchObject({ text: '{"gist":[]}', finish: 'stop' })
    expect(await model.generate(request)).toMatchObject({ text: '{"gist":["x"]}' })
    expect(await model.generate(request)).toMatchObject({ text: '' })
    expect(mock.doGenerateCalls[0]).toEqual(sent)
    expect(mock.doGenerateCalls[0]).not.toHaveProperty('tools')
  })

  it('keep their `this`, and their errors', async () => {
    class Model {
      readonly specificationVersion = 'v4'
      readonly provider = 'own'
      readonly modelId = 'm'
      readonly error = Object.assign(new Error('slow down'), { statusCode: 429 })
      async doGenerate(): Promise<never> {
        throw this.error
      }
    }
    const model = new Model()
    await expect(toLanguageModel(model).generate(request)).rejects.toBe(model.error)
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'hello'],
    ['no content', { finishReason: 'stop' }],
    ['content that is no list', { content: { type: 'text', text: 'x' } }],
  ])('that answer with %s are the caller’s mistake', async (_, answer) => {
    const model = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doGenerate: async () => answer }
    await expect(toLanguageModel(model).generate(request)).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('may report usage and finish in any way', async () => {
    const odd = [
      { usage: undefined, finishReason: undefined },
      { usage: { inputTokens: Number.NaN, outputTokens: -1 }, finishReason: 7 },
      { usage: { inputTokens: { total: '9' } }, finishReason: { raw: 'x' } },
      { usage: 'many', finishReason: null },
    ]
    for (const fields of odd) {
      const model = {
        specificationVersion: 'v4',
        provider: 'p',
        modelId: 'm',
        doGenerate: async () => ({ content: [null, 1, { type: 'text' }, { type: 'text', text: 'x' }], ...fields }),
      }
      expect(await toLanguageModel(model).generate(request)).toEqual({ text: 'x' })
    }
  })
})

describe('a function as a model', () => {
  it('may answer with a text or an object, at once or later', async () => {
    expectTypeOf<(asked: ModelRequest) => string>().toExtend<LanguageModelInput>()
    expectTypeOf<(asked: ModelRequest) => Promise<string>>().toExtend<LanguageModelInput>()
    const asked: ModelRequest[] = []
    const local = async (call: ModelRequest): Promise<string> => {
      asked.push(call)
      return 'a'
    }
    const model = toLanguageModel(local)
    expect(model.name).toBe('local')
    expect(await model.generate(request)).toEqual({ text: 'a' })
    expect(asked).toEqual([request])
    expect(toLanguageModel(() => 'a').name).toBe('function')
    expect(await toLanguageModel(() => 'b').generate(request)).toEqual({ text: 'b' })
    expect(
      await toLanguageModel(() => ({ text: 'c', usage: { inputTokens: 3 }, finish: 'stop', more: 1 })).generate(
        request,
      ),
    ).toEqual({ text: 'c', usage: { inputTokens: 3 }, finish: 'stop' })
  })

  it.each([[undefined], [null], [7], [{}], [{ text: 7 }], [[]]])('is refused the answer %j', async (answer) => {
    await expect(toLanguageModel(() => answer).generate(request)).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('that throws at once is a model that fails', async () => {
    const broken = toLanguageModel(() => {
      throw new RangeError('broken')
    })
    await expect(broken.generate(request)).rejects.toThrow('broken')
  })
})

describe('an implementation of the port', () => {
  it('is called as it is', async () => {
    const own: LanguageModel = {
      name: 'own',
      async generate(this: LanguageModel) {
        return { text: this.name, usage: { outputTokens: 1 } }
      },
    }
    expectTypeOf(own).toExtend<LanguageModelInput>()
    const model = toLanguageModel(own)
    expect(model.name).toBe('own')
    expect(await model.generate(request)).toEqual({ text: 'own', usage: { outputTokens: 1 } })
  })

  it('has its answers read', async () => {
    const model = toLanguageModel({ name: 'own', generate: async () => 7 })
    await expect(model.generate(request)).rejects.toMatchObject({ code: 'input/invalid' })
  })
})

describe('what is no model', () => {
  const provider = Object.assign(() => ({}), { languageModel: () => ({}) })
  it.each([
    ['a model id', 'openai/gpt-5', /model is "openai\/gpt-5", expected an AI SDK language model/],
    ['nothing', undefined, /model is undefined/],
    ['null', null, /model is null/],
    ['a number', 7, /model is 7/],
    ['an empty object', {}, /an object with no keys/],
    ['a list', [], /an array of 0/],
    ['a provider', provider, /model is a provider, expected one of its models/],
    [
      'a model of version 1',
      { specificationVersion: 'v1', doGenerate() {} },
      /of specification "v1", expected v2, v3 or v4/,
    ],
    ['a model of version 5', { specificationVersion: 'v5', doGenerate() {} }, /of specification "v5"/],
    ['a model of no version', { doGenerate() {} }, /of specification undefined/],
    ['doGenerate that is no function', { specificationVersion: 'v4', doGenerate: 1 }, /expected an AI SDK/],
    ['a port without a name', { generate() {} }, /without a name/],
    ['a port with a blank name', { name: ' ', generate() {} }, /without a name/],
  ])('is refused: %s', (_, model, message) => {
    expect(() => toLanguageModel(model)).toThrow(message)
    expect(() => toLanguageModel(model)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  })

  it('is not carried by the error: it may hold a key', () => {
    const error = catchError(() => toLanguageModel({ apiKey: 'sk-secret' }))
    expect(JSON.stringify(error)).not.toContain('sk-secret')
    expect(String(error)).not.toContain('sk-secret')
  })
})

function catchError(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}
