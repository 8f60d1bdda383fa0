import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

describe('[found-18] what was removed', () => {
  it('is listed as left out, whether it was removed or cleared, and not once it is forgotten', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const kept = scope.session('kept')
    const [gone, other] = await kept.append([
      { role: 'user', content: 'The boat is called Gaivota' },
      { role: 'user', content: 'The house is red' },
      { role: 'user', content: 'Bob wants to buy the boat' },
    ])
    const [cleared] = await scope.session('cleared').append({ role: 'user', content: 'Our boats need paint' })
    await kept.remove(gone?.id ?? '')
    await kept.remove(other?.id ?? '')
    await scope.session('cleared').clear()
    const ids = async (): Promise<readonly (readonly string[])[]> => {
      const { items, dropped } = await scope.recall('the boat', { explain: true, fresh: true })
      const removed = dropped.filter(({ reason }) => reason === 'removed')
      expect(removed.every(({ score, source }) => score > 0 && source.session !== null)).toBe(true)
      return [items.map(({ text }) => text), removed.map(({ source }) => source.id).toSorted()]
    }
    const expected = [gone?.id ?? '', cleared?.id ?? ''].toSorted()
    expect(await ids()).toEqual([['Bob wants to buy the boat'], expected])
    await scope.forget({ session: 'cleared' })
    expect(await ids()).toEqual([['Bob wants to buy the boat'], [gone?.id]])
  })
})
