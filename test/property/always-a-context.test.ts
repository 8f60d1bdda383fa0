import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { alwaysAContext } from './always-a-context.ts'

// `test/fault/always-a-context.test.ts` has 2,000 cases by day, on both stores and through the client.
it(
  '[contexts-1] [contexts-2] [contexts-3] [contexts-7] [contexts-8] every budget that holds the system text, the pins, 300 tokens and 60 for each open call gives a context',
  async () => {
    const figures = await alwaysAContext(() => openMemory(':memory:'), times({ daily: 120, nightly: 100_000 }))
    expect(figures.inPart).toBeGreaterThan(100)
    process.stdout.write(`always a context: ${JSON.stringify(figures)}\n`)
  },
  times({ daily: 12, nightly: 240 }) * 60_000,
)
