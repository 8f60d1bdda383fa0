import { describe, expect, it } from 'vitest'
import { IMAGE_FORMULAS as F } from '../../src/tokens/image.ts'
import { type ModelTokens, tokenizerForModel } from '../../src/tokens/tokenizer-for-model.ts'

const o200k = { encoding: 'o200k_base', vocabulary: 'large' } as const
const cl100k = { encoding: 'cl100k_base', vocabulary: 'small' } as const

describe('tokenizerForModel', () => {
  it.each<readonly [model: string, tokens: ModelTokens]>([
    ['gpt-4o', { ...o200k, image: F.gpt4o }],
    ['gpt-4o-mini-2024-07-18', { ...o200k, image: F.gpt4o }],
    ['chatgpt-4o-latest', { ...o200k, image: F.gpt4o }],
    ['gpt-4.1', { ...o200k, image: F.gpt4o }],
    ['gpt-4.1-mini', { ...o200k, image: F.gpt41Mini }],
    ['gpt-4.1-nano-2025-04-14', { ...o200k, image: F.gpt41Nano }],
    ['gpt-5', { ...o200k, image: F.gpt5 }],
    ['gpt-5-2025-08-07', { ...o200k, image: F.gpt5 }],
    ['gpt-5-chat-latest', { ...o200k, image: F.gpt5 }],
    ['gpt-5-mini', { ...o200k, image: F.gpt41Mini }],
    ['gpt-5-nano', { ...o200k, image: F.gpt41Nano }],
    ['gpt-5.1-codex-mini', { ...o200k, image: F.gpt41Mini }],
    ['gpt-5.2-pro', { ...o200k, image: F.gpt5 }],
    ['gpt-5.4', { ...o200k, image: F.gpt54 }],
    ['gpt-5.4-mini', { ...o200k, image: F.gpt41Mini }],
    ['gpt-6', { ...o200k, image: F.gpt54 }],
    ['gpt-oss-120b', o200k],
    ['o1', { ...o200k, image: F.o1 }],
    ['o3-pro-2025-06-10', { ...o200k, image: F.o1 }],
    ['o4-mini', { ...o200k, image: F.o4Mini }],
    ['gpt-4', cl100k],
    ['gpt-4-0613', cl100k],
    ['gpt-4-turbo-2024-04-09', { ...cl100k, image: F.gpt4o }],
    ['gpt-3.5-turbo', cl100k],
    ['text-embedding-3-small', cl100k],
    ['claude-3-5-sonnet-20241022', { vocabulary: 'small', image: F.claude }],
    ['claude-sonnet-4-20250514', { vocabulary: 'small', image: F.claude }],
    ['claude-sonnet-4-5', { vocabulary: 'small', image: F.claude }],
    ['claude-opus-4-6', { vocabulary: 'small', image: F.claude }],
    ['claude-opus-4-7', { vocabulary: 'small', image: F.claudeOpus47 }],
    ['claude-opus-5', { vocabulary: 'small', image: F.claudeOpus47 }],
    ['gemini-2.5-pro', { vocabulary: 'large', image: F.gemini }],
    ['gemini-3-flash-preview', { vocabulary: 'large', image: F.gemini3 }],
    ['llama-4-scout', { vocabulary: 'large' }],
    ['some-model-nobody-knows', { vocabulary: 'small' }],
    ['', { vocabulary: 'small' }],
    // As gateways and clouds spell them.
    ['openai/gpt-4o', { ...o200k, image: F.gpt4o }],
    ['openrouter/openai/gpt-5-mini', { ...o200k, image: F.gpt41Mini }],
    ['ft:gpt-4o-2024-08-06:acme::x1', { ...o200k, image: F.gpt4o }],
    ['models/gemini-2.5-flash', { vocabulary: 'large', image: F.gemini }],
    ['anthropic/claude-sonnet-4.5', { vocabulary: 'small', image: F.claude }],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', { vocabulary: 'small', image: F.claude }],
    ['GPT-4O', { ...o200k, image: F.gpt4o }],
  ])('[tok-1] knows how to count for %s', (model, tokens) => {
    expect(tokenizerForModel(model)).toEqual(tokens)
  })
})
