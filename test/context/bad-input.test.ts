import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import type { MemoryError } from '../../src/domain/error.ts'
import type { Session } from '../../src/api/session.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

let memory: Memory
let chat: Session
beforeAll(async () => {
  memory = await openMemory(':memory:', { learn: false })
  chat = memory.scope('acme').session('s')
  await chat.append([
    { role: 'system', content: 'Never touch the production database. '.repeat(40) },
    { role: 'user', content: 'Hello' },
  ])
})
afterAll(() => memory.close())

const STEPS = { name: 'mine', high: {}, low: {}, advance: 'until-low' }

const cases: readonly (readonly [options: object, code: string, says: string])[] = [
  [{ budget: 0 }, 'input/invalid', 'budget is 0, expected a positive whole number'],
  [{ budget: -5 }, 'input/invalid', 'budget is -5, expected a positive whole number'],
  [{ budget: 1.5 }, 'input/invalid', 'budget is 1.5, expected a positive whole number'],
  [{ budget: '8000' }, 'input/invalid', 'budget is "8000", expected a positive whole number'],
  [{ budget: 100 }, 'context/over-budget', 'Cannot fit the context into 100 tokens: it needs '],
  [
    { budget: 1_000, reserve: 1_000 },
    'context/over-budget',
    'Cannot fit the context into 1000 tokens, 1000 of them reserved: it needs ',
  ],
  [{ budget: 1_000, reserve: -1 }, 'input/invalid', 'reserve is -1, expected a whole number, 0 or greater'],
  [{ budget: 1_000, system: 'Be kind. '.repeat(2_000) }, 'context/over-budget', 'fewer pins or a shorter system text'],
  [{ budget: 1_000, policy: 'balancd' }, 'input/invalid', 'did you mean "balanced"?'],
  [
    { budget: 1_000, policy: 'gzip' },
    'input/invalid',
    'expected one of recency, autoContext, rolling, managed, balanced',
  ],
  [{ budget: 1_000, policy: {} }, 'input/invalid', 'policy.name is undefined, expected a non-empty string'],
  [
    { budget: 1_000, policy: { ...STEPS, steps: [{ stage: 'zip' }] } },
    'input/invalid',
    'policy.steps[0].stage is "zip"',
  ],
  [{ budget: 1_000, model: 42 }, 'input/invalid', 'model is 42, expected a string'],
  [{ model: 'my-model' }, 'input/invalid', 'Daybook does not have the window of the model "my-model"'],
  [{ budget: 1_000, system: 42 }, 'input/invalid', 'system is 42, expected a non-empty string'],
  [{ budget: 1_000, blocks: 'cold' }, 'input/invalid', 'blocks is "cold", expected true or false or frozen'],
]

describe('[contexts-80] wrong options of a context', () => {
  it.each(cases)('%j: a code, the numbers, nothing stored', async (options, code, says) => {
    const before = await chat.stats()
    await expect(chat.context(options as never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(says) as string,
    })
    expect(await chat.stats()).toEqual(before)
    expect(await chat.compactions()).toEqual([])
    expect(await chat.contexts()).toEqual([])
  })

  it('names what takes the most: a system text of 10 MB, not the message beside it', async () => {
    const failed = chat.context({ budget: 1_000, system: 'Be kind. '.repeat(1_200_000) })
    const { message, details } = await failed.then(
      () => expect.unreachable(),
      (error: MemoryError) => error,
    )
    expect(message).toMatch(
      /^Cannot fit the context into 1000 tokens: it needs \d+ \(system text \d+, newest turn \d+, framing \d+\), expected/,
    )
    expect(details).toMatchObject({ budget: 1_000, pinned: 0, blocks: 0 })
    expect(await chat.contexts()).toEqual([])
  })
})
