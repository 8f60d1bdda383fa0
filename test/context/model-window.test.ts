import { describe, expect, it } from 'vitest'
import type { MemoryEvent } from '../../src/api/events.ts'
import { budgetFor } from '../../src/context/budget-for.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { modelWindow } from '../../src/tokens/model-window.ts'

describe('[contexts-12] the window of a model', () => {
  it.each([
    ['gpt-5-mini', 400_000],
    ['openai/gpt-4o-2024-08-06', 128_000],
    ['gpt-4.1-nano', 1_047_576],
    ['gpt-4', 8_192],
    ['gpt-4-turbo-2024-04-09', 128_000],
    ['gpt-3.5-turbo', 16_385],
    ['o4-mini', 200_000],
    ['o1-mini', 128_000],
    ['claude-sonnet-4-5', 200_000],
    ['us.anthropic.claude-3-5-haiku-v1:0', 200_000],
    ['models/gemini-2.5-pro', 1_048_576],
    ['gemini-1.5-pro-002', 2_097_152],
    ['gemini-flash-latest', 1_048_576],
    ['us.amazon.nova-pro-v1:0', 300_000],
    ['moonshotai/kimi-k2-thinking', 131_072],
    ['z-ai/glm-4.6', 200_000],
    ['deepseek/deepseek-v3.2', 131_072],
    ['qwen/qwen3-max', 262_144],
  ])('%s has %i tokens', (model, tokens) => {
    expect(modelWindow(model)?.tokens).toBe(tokens)
  })

  it.each(['llama3.2', 'my-model', 'gpt', ''])('%j is not known', (model) => {
    expect(modelWindow(model)).toBeUndefined()
  })

  it('is the budget where none is given, and leaves room for the reply', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    await chat.append(Array.from({ length: 30 }, () => ({ role: 'user' as const, content: 'word '.repeat(1_000) })))
    // The window of gpt-4 has 8,192 tokens, of which 2,048 are for the reply.
    const small = await chat.context({ model: 'gpt-4' })
    expect(small.tokens).toBeLessThanOrEqual(6_144)
    expect(small.tokens).toBeGreaterThan(2_000)
    expect((await chat.context({ model: 'o3' })).messages).toHaveLength(30)
    expect(budgetFor({ model: 'gpt-4o' })).toBe(128_000 - 16_384)
    expect(budgetFor({ model: 'o3' })).toBe(150_000)
    expect(budgetFor({ model: 'gpt-4o', budget: 900 })).toBe(900)
  })

  it('without a budget and without a known model, says what is missing', async () => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('a').session('s')
    await expect(chat.context()).rejects.toMatchObject({
      code: 'input/invalid',
      message:
        'Cannot build a context: budget is undefined, expected a number of tokens, or a model that Daybook has in its list',
    })
    await expect(chat.context({ model: 'my-model' })).rejects.toThrow(
      'Daybook does not have the window of the model "my-model"',
    )
    await expect(chat.context({ model: 42 } as never)).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('is said once not to be known, with what was assumed', async () => {
    const events: MemoryEvent[] = []
    await using memory = await openMemory(':memory:', { onEvent: (event) => events.push(event) })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'Hello' })
    for (const model of ['my-model', 'gpt-4o', 'my-model']) await chat.context({ model, budget: 1_000 })
    expect(events.filter(({ type }) => type === 'unknown-model')).toEqual([
      { type: 'unknown-model', model: 'my-model', assumed: expect.stringContaining('estimated') as string },
    ])
  })
})
