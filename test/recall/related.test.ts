import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const told = [
  'My boss Karen wants the quarterly report by Friday.',
  'Our cat Pixel is sick.',
  'I drive a blue Toyota from 2014.',
  'I run every morning along the river.',
  'We are planning a trip to Japan in April.',
  'My flat is on the third floor.',
  'I am scared of heights.',
  'We use Postgres for the orders.',
] as const

async function told8(): Promise<Awaited<ReturnType<typeof openMemory>>> {
  const memory = await openMemory(':memory:', { learn: false })
  for (const content of told) await memory.scope('a').session('s').append({ role: 'user', content })
  return memory
}

describe('[found-44] related words', () => {
  it('find what was told in other words, in a context too, and say which word it was', async () => {
    await using memory = await told8()
    const scope = memory.scope('a')
    const asked = [
      ['Who is my manager?', told[0], 'manager', 'boss'],
      ['Do I have a pet?', told[1], 'pet', 'cat'],
      ['Which car do I drive?', told[2], 'car', 'toyota'],
      ['What sport do I do?', told[3], 'sport', 'run'],
      ['Where do I go on holiday?', told[4], 'holiday', 'trip'],
      ['On which floor is my apartment?', told[5], 'apartment', 'flat'],
      ['What am I afraid of?', told[6], 'afraid', 'scare'],
      ['Which database do we use?', told[7], 'database', 'postgr'],
    ] as const
    for (const [at, [question, text, word, other]] of asked.entries()) {
      const session = scope.session(`now ${at}`)
      await session.append({ role: 'user', content: question })
      const [first] = (await session.context({ budget: 4_000, recall: true })).recalled
      expect(first?.text, question).toBe(text)
      expect(first?.why.words.find((match) => match.word === word)?.similar, question).toEqual([other])
    }
  })

  it('do not find gardens where somebody asks for the parking spot', async () => {
    await using memory = await told8()
    const scope = memory.scope('a')
    const garden = 'The garden needs water.'
    await scope.session('garden').append({ role: 'user', content: garden })
    await scope.session('s').append({ role: 'user', content: 'The parking spot is 118.' })
    const found = async (question: string): Promise<readonly string[]> =>
      (await scope.recall(question)).items.map(({ text }) => text)
    expect(await found('parking spot')).not.toContain(garden)
    expect(await found('park')).toContain(garden)
  })

  it('find it whatever form the asked word has: cities and visited, not only city and visit', async () => {
    await using memory = await told8()
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'Last spring I saw Rome with my sister.' })
    const [cities] = (await scope.recall('Which cities did I like?')).items
    expect(cities?.text).toBe('Last spring I saw Rome with my sister.')
    expect(cities?.why.words.find(({ word }) => word === 'cities')?.similar).toEqual(['rome'])
    const [visited] = (await scope.recall('What have we visited?')).items
    expect(visited?.text).toBe(told[4])
  })

  it('also where the asked word occurs elsewhere, but after it', async () => {
    await using memory = await told8()
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'The package manager is pnpm.' })
    const { items } = await scope.recall('manager')
    expect(items.map(({ text }) => text).slice(0, 2)).toEqual(['The package manager is pnpm.', told[0]])
    expect(items[0]?.why.words[0]?.similar).toBeUndefined()
    expect(items[1]?.why.words[0]?.similar).toEqual(['boss'])
  })

  it('are no reason to show something for a general question', async () => {
    await using memory = await told8()
    const scope = memory.scope('a')
    for (const question of [
      'What is the fastest car in the world?',
      'Write a poem about a pet.',
      'Which sport is the oldest?',
      'What does a manager do all day?',
      'Explain how a database index works.',
    ]) {
      const session = scope.session(question)
      await session.append({ role: 'user', content: question })
      expect((await session.context({ budget: 4_000, recall: true })).recalled, question).toEqual([])
    }
  })
})
