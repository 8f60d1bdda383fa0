import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { memoryTools } from '../../src/tools/memory-tools.ts'

it.each([
  [undefined, ''],
  [{ messages: 12, facts: 0 }, ' 12 messages are not indexed yet: look again in a moment.'],
  [{ messages: 0, facts: 3 }, ' 3 facts are not indexed yet: look again in a moment.'],
  [{ messages: 2, facts: 3 }, ' 2 messages and 3 facts are not indexed yet: look again in a moment.'],
])('[walls-41] the tool that looks something up says when it finds nothing because of %j', async (behind, later) => {
  const scope = { recall: async () => ({ items: [], ...(behind === undefined ? {} : { behind }) }) }
  const tools = memoryTools({ scope: scope as never, session: 's', budget: 500, allowDestroy: false })
  const retrieve = tools.find(({ name }) => name === 'retrieve_from_memory')
  expect(await retrieve?.execute({ keywords: ['7731'] })).toBe(`Nothing was found for ["7731"].${later}`)
})

it('finds at once what was recorded, by any of the keywords, and what most of them find first', async () => {
  await using memory = await openMemory(':memory:')
  const tools = memoryTools({ scope: memory.scope('acme/ada'), session: 's', budget: 500, allowDestroy: false })
  const use = async (name: string, input: unknown): Promise<string> =>
    (await tools.find((tool) => tool.name === name)?.execute(input)) ?? ''
  const city = 'Ada lives in Lisbon'
  const allergy = 'Ada is allergic to peanuts'
  await use('record_to_memory', { thinking: '', content: [city, allergy] })
  for (const [keywords, expected] of [
    [['Ada'], [city, allergy]],
    [
      ['Ada', 'city'],
      [city, allergy],
    ],
    [['Lisbon', 'Lisboa'], [city]],
    [
      ['food', 'allergy', 'allergic', 'Ada'],
      [allergy, city],
    ],
    [['weather', 'tomorrow'], []],
    [['Lisbon weather tomorrow afternoon forecast'], [city]],
    [['peanut butter cookie recipe', 'weather'], [allergy]],
    [['what is the weather in the afternoon'], []],
  ] as const) {
    const found = await use('retrieve_from_memory', { keywords })
    for (const fact of [city, allergy])
      expect(found.includes(fact), `${keywords}: ${fact}`).toBe(expected.includes(fact as never))
    if (keywords.length === 4) expect(found.indexOf(allergy)).toBeLessThan(found.indexOf(city))
  }
})

it('looks in what is indexed where the index cannot be waited for', async () => {
  const scope = {
    recall: async (_: string, { fresh = false }) => {
      if (fresh) throw new Error('read-only')
      return { items: [], behind: { messages: 1 } }
    },
  }
  const tools = memoryTools({ scope: scope as never, session: 's', budget: 500, allowDestroy: false })
  const retrieve = tools.find(({ name }) => name === 'retrieve_from_memory')
  expect(await retrieve?.execute({ keywords: ['7731'] })).toContain('1 messages')
})
