import { describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

async function scene(): Promise<{ memory: Memory; texts: (query: string) => Promise<readonly string[]> }> {
  const memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  await scope.session('parent').append([
    { role: 'system', content: 'Be kind to every walrus' },
    { role: 'user', content: 'My dog is called Rexaurus' },
    { role: 'assistant', content: 'A fine name for a hound' },
  ])
  const texts = async (query: string): Promise<readonly string[]> =>
    (await scope.recall(query, { kinds: ['message'] })).items.map(({ text, source }) => `${source.session}: ${text}`)
  return { memory, texts }
}

describe('[recall-6] a fork', () => {
  it.each(['posted before', 'posted after'])('keeps what its parent revises, removes or clears; %s', async (when) => {
    for (const change of ['revise', 'remove', 'clear', 'clear but system'] as const) {
      const { memory, texts } = await scene()
      await using _ = memory
      const parent = memory.scope('a').session('parent')
      await parent.fork('fork')
      if (when === 'posted before') await texts('dog')
      const dog = (await parent.history())[1]?.id ?? ''
      if (change === 'revise') await parent.revise(dog, { content: 'My cat is called Tom' })
      else if (change === 'remove') await parent.remove(dog)
      else await parent.clear({ keepSystem: change !== 'clear' })
      expect(await texts('Rexaurus')).toContain('fork: My dog is called Rexaurus')
      if (change === 'revise')
        expect(await texts('Tom')).toEqual(expect.arrayContaining(['parent: My cat is called Tom']))
      await memory.scope('a').session('fork').clear()
      expect((await texts('Rexaurus')).filter((text) => text.includes('Rexaurus'))).toEqual([])
    }
  })

  it('made from an earlier state has it', async () => {
    const { memory, texts } = await scene()
    await using _ = memory
    const parent = memory.scope('a').session('parent')
    const version = (await parent.history()).length
    const dog = (await parent.history())[1]?.id ?? ''
    await parent.revise(dog, { content: 'My cat is called Tom' })
    await parent.fork('fork', { at: { version } })
    await parent.fork('fork-of-fork')
    expect(await texts('Rexaurus')).toContain('fork: My dog is called Rexaurus')
  })

  it('of a fork goes on with what both above it let go', async () => {
    const { memory, texts } = await scene()
    await using _ = memory
    const scope = memory.scope('a')
    await scope.session('parent').fork('fork')
    await scope.session('fork').fork('third')
    await scope.session('parent').clear()
    expect((await texts('Rexaurus')).length).toBeGreaterThan(0)
    await scope.session('fork').clear()
    expect(await texts('Rexaurus')).toContain('third: My dog is called Rexaurus')
  })
})
