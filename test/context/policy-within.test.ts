import { expect, it } from 'vitest'
import { policyWithin } from '../../src/context/compaction/policy-within.ts'
import { balanced } from '../../src/context/policies/balanced.ts'
import { managed } from '../../src/context/policies/managed.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[contexts-72] scales marks in tokens that are above the budget, and no others', () => {
  expect(policyWithin(managed(), 150_000)).toEqual(managed())
  expect(policyWithin(balanced(), 1_000)).toEqual(balanced())
  expect(policyWithin(managed(), 30_000)).toMatchObject({
    high: { mark: { tokens: 30_000 } },
    low: { mark: { tokens: 18_000 } },
    steps: [{ savesMin: 12_000 }, { savesMin: 12_000 }, { stage: 'drop' }],
  })
})

it('[contexts-72] a long turn is compacted now and then, not at every step', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const session = memory.scope('a').session('s')
  await session.append({ role: 'user', content: 'Look at everything.' })
  for (let step = 0; step < 60; step++) {
    await session.append([
      { role: 'assistant', toolCalls: [{ id: `c${step}`, name: 'look', arguments: {} }] },
      { role: 'tool', toolCallId: `c${step}`, content: `line ${step} of a log\n`.repeat(20) },
    ])
    const { tokens } = await session.context({ budget: 2_500, policy: 'managed' })
    expect(tokens).toBeLessThanOrEqual(2_500)
  }
  expect((await session.compactions()).length).toBeLessThan(20)
})
