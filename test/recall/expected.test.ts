import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpectedMessage, RecallOptions } from '../../src/api/recall.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

describe('[found-45] a message that somebody expects', () => {
  let memory: Memory
  beforeAll(async () => {
    memory = await openMemory(':memory:', { learn: false })
    const session = memory.scope('a').session('support-42')
    await session.append([
      { role: 'system', content: 'You sell bicycles.' },
      { role: 'user', content: 'The bicycle arrived with a bent wheel.' },
      { role: 'user', content: 'My commute takes an hour.' },
      { role: 'user', content: 'A bicycle for the garden.' },
      { role: 'user', content: 'Forget about the spare wheel.' },
    ])
    const messages = await session.history()
    await session.remove(messages[4]?.id ?? '')
  })
  afterAll(() => memory.close())

  const asked = async (query: string, place: string, options: RecallOptions = {}): Promise<ExpectedMessage> => {
    const { expected, dropped } = await memory.scope('a').recall(query, { fresh: true, expected: place, ...options })
    expect(dropped).toEqual([])
    return expected as ExpectedMessage
  }

  it('is said to be found, with the words that it shares with the question', async () => {
    const one = await asked('which bicycle has a bent fork?', 'support-42#2')
    expect(one).toMatchObject({ found: true, rank: 1, words: ['bicycle', 'bent'], missing: ['fork'] })
    expect(one.score).toBeGreaterThan(0)
    expect(one).not.toHaveProperty('reason')
  })

  it.each([
    ['how long do I travel to work?', 'support-42#4', {}, 'no-shared-word'],
    ['bent bicycle', 'support-42#4', { limit: 1 }, 'below-limit'],
    ['bicycle', 'support-42#2', { until: '2020-01-01T00:00:00Z' }, 'other-time'],
    ['who sells bicycles?', 'support-42#1', {}, 'other-role'],
    ['spare wheel', 'support-42#5', {}, 'removed'],
    ['what is it?', 'support-42#2', {}, 'nothing-to-look-for'],
    ['bicycle', 'support-42#99', {}, 'not-stored'],
    ['bicycle', 'nowhere#1', {}, 'not-stored'],
  ] as const)('%s: %s %o is missed because of %s', async (query, place, options, reason) => {
    const one = await asked(query, place, options)
    expect(one).toMatchObject({ found: false, reason })
    expect(one.summary).toMatch(/^[A-Z].*\.$/)
  })

  it('says what its relevance had to reach where only what bears on the question is wanted', async () => {
    const one = await asked('Which bicycle shop in Lyon repairs a bent wheel on Sunday?', 'support-42#4', {
      relevant: true,
    })
    expect(one).toMatchObject({ found: false, reason: 'below-line' })
    expect(one.neededRelevance ?? 1).toBeGreaterThan(one.relevance ?? 1)
  })

  it('is named by its session and position', async () => {
    for (const expected of ['support-42', '#3', 'support-42#0', 'support-42#x'])
      await expect(memory.scope('a').recall('bicycle', { expected })).rejects.toMatchObject({ code: 'input/invalid' })
  })
})
