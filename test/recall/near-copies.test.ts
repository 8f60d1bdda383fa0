import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

async function recalled(messages: readonly string[], query: string): Promise<readonly string[]> {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  for (const content of messages) await scope.session('s').append({ role: 'user', content })
  return (await scope.recall(query, { kinds: ['message'] })).items.map(({ text }) => text)
}

const boilerplate =
  'Please find attached the weekly report of the operations team; it covers incidents, deployments, capacity, staffing, costs, and the roadmap for the coming quarter in the usual format agreed with finance and legal departments last autumn in Hamburg, together with annexes and tables for every region and product line we serve today across Europe, Asia and America. '
const report = (word: string, cause: string): string =>
  `${boilerplate}${Array.from({ length: 250 }, (_, index) => `${word}${index}${index % 20 === 19 ? '.' : ''}`).join(' ')}. The outage was caused by ${cause}.`

describe('[recall-8] two messages', () => {
  it.each([
    ['boat', 'The boat is ready to sail on Monday morning', 'The boat is not ready to sail on Monday morning'],
    ['boot', 'Das Boot ist am Montag früh bereit zum Segeln', 'Das Boot ist am Montag früh nicht bereit zum Segeln'],
    ['meter', 'The meter in the cellar of the old house reads 41', 'The meter in the cellar of the old house reads 42'],
    ['language', 'My favourite language is C++', 'My favourite language is C'],
    ['language', 'My favourite language is C#', 'My favourite language is C'],
    ['money', 'Ada gave Bob the money', 'Bob gave Ada the money'],
    ['boat', 'The boat is ready to sail on Monday', 'The boat is ready to sail on Monday?'],
    ['🦄', '🦄', '🦄🦄'],
    ['flag 🇫🇷', 'my flag is 🇫🇷', 'my flag is 🇩🇪'],
    ['weekly report operations', report('alpha', 'a disk'), report('beta', 'the weather')],
  ])('about %s stay two where they say two things', async (query, ...messages) => {
    expect(await recalled(messages, query)).toHaveLength(2)
  })

  it.each([
    ['kumquat', 'The kumquat tree is in bloom.', 'the kumquat tree is in bloom'],
    [
      'kumquat',
      'The kumquat tree that my grandfather planted in the south garden of the old house is in bloom again this year, said my aunt from Lisbon.',
      'The kumquat tree which my grandfather planted in the south garden of the old house is in bloom again this year, said my aunt from Lisbon!',
    ],
  ])('about %s are one where they say the same', async (query, ...messages) => {
    expect(await recalled(messages, query)).toHaveLength(1)
  })
})

describe('what is blank', () => {
  it('is not recalled', async () => {
    const blank = `${' '.repeat(700)}\n`.repeat(6)
    const texts = await recalled(
      [`The kumquat tree.\n${blank}The end.`, '...', ' \n ', 'And the kumquat jam'],
      'kumquat',
    )
    for (const text of texts) expect(text).toMatch(/\p{L}/u)
    expect(texts.length).toBeGreaterThanOrEqual(2)
  })
})
