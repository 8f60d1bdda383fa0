import { convertToModelMessages, generateText, validateUIMessages, type ModelMessage, type UIMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convert } from '../../src/dialects/convert.ts'
import { fromAISDK } from '../../src/dialects/from-ai-sdk.ts'
import { lint } from '../../src/dialects/lint.ts'
import { repair } from '../../src/dialects/repair.ts'
import { conversations } from './conversations.ts'
import { anyTranscript, mutate, mutation, runs } from './generators.ts'

function model(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'ok' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  })
}

describe('[msg-14] the AI SDK itself accepts what we call clean', () => {
  it('model messages: generateText sends every repaired transcript', async () => {
    await fc.assert(
      fc.asyncProperty(anyTranscript, async (drafts) => {
        const { messages, instructions } = repair(
          convert(drafts, { from: 'daybook', to: 'ai-sdk' }) as unknown,
          'ai-sdk',
        )
        const spy = model()
        await generateText({
          model: spy,
          messages: messages as ModelMessage[],
          ...(instructions === undefined ? {} : { instructions }),
        })
        expect(spy.doGenerateCalls).toHaveLength(1)
      }),
      runs(60),
    )
  })

  it('model messages: what it rejects, lint names', async () => {
    let rejected = 0
    await fc.assert(
      fc.asyncProperty(anyTranscript, fc.array(mutation, { minLength: 1, maxLength: 2 }), async (drafts, mutations) => {
        const clean = convert(repair(drafts, 'daybook'), { from: 'daybook', to: 'ai-sdk' })
        const wire = mutations.reduce<unknown>(mutate, clean.messages)
        const failed = await generateText({ model: model(), messages: wire as ModelMessage[] }).then(
          () => false,
          () => true,
        )
        if (!failed) return
        rejected += 1
        expect(lint(wire, 'ai-sdk').some((violation) => violation.severity === 'error')).toBe(true)
      }),
      runs(150),
    )
    expect(rejected).toBeGreaterThan(0)
  })

  it('UI messages: validateUIMessages takes them, and their model messages can be sent', async () => {
    await fc.assert(
      fc.asyncProperty(anyTranscript, async (drafts) => {
        const wire = repair(convert(drafts, { from: 'daybook', to: 'ai-sdk-ui' }) as unknown, 'ai-sdk-ui')
        const valid = await validateUIMessages({ messages: [...wire] })
        const messages = await convertToModelMessages(valid)
        // Data and sources alone are shown to people and not to models: nothing is sent, and nothing to check.
        if (messages.length === 0) return
        const spy = model()
        await generateText({ model: spy, messages, allowSystemInMessages: true })
        expect(spy.doGenerateCalls).toHaveLength(1)
      }),
      runs(60),
    )
  })

  it('UI messages: our reading of them equals convertToModelMessages', async () => {
    for (const drafts of Object.values(conversations)) {
      const wire = convert(drafts, { from: 'daybook', to: 'ai-sdk-ui' })
      const theirs = fromAISDK(await convertToModelMessages(wire as UIMessage[]))
      const ours = convert(wire, { from: 'ai-sdk-ui', to: 'daybook' }).map(({ role, parts }) => ({ role, parts }))
      expect(normal(ours)).toEqual(normal(theirs))
    }
  })

  it('system text inside messages is what it refuses, and what V2 names', async () => {
    const messages: ModelMessage[] = [
      { role: 'system', content: 'x' },
      { role: 'user', content: 'y' },
    ]
    await expect(generateText({ model: model(), messages })).rejects.toThrow('System messages')
    expect(lint(messages, 'ai-sdk').map((violation) => violation.rule)).toEqual(['V2'])
  })
})

/**
 * Normalisations: step-start parts are dropped by the SDK; a denied result is an error text there; file names that are
 * undefined are left out; content outputs of UI parts are plain JSON to the SDK; it copies a call's
 * metadata to its result; fields of UI parts that no model message has stay under our `wire:` names.
 */
function normal(drafts: readonly { readonly role: string; readonly parts: readonly unknown[] }[]): unknown {
  const text = JSON.stringify(drafts, (key, value: unknown) => {
    if (key.startsWith('wire:')) return undefined
    if (key === 'provider' && Object.keys(value as object).every((name) => name.startsWith('wire:'))) return undefined
    if (typeof value !== 'object' || value === null || !('type' in value)) return value
    if (value.type === 'data') return undefined
    if (value.type !== 'tool-result') return value
    const {
      outcome,
      output,
      provider: _provider,
      ...rest
    } = value as { outcome?: string; output?: { type: string }; provider?: object }
    return {
      ...rest,
      output: output?.type === 'parts' || output?.type === 'json' ? 'structured' : output,
      outcome: outcome === 'denied' ? 'error' : outcome,
    }
  })
  return (JSON.parse(text) as { parts: unknown[] }[]).map((draft) => ({
    ...draft,
    parts: draft.parts.filter((part) => part !== null),
  }))
}
