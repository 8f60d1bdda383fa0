import { expect, it } from 'vitest'
import { ignoreCase } from '../../src/domain/ignore-case.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[log-1] a character and its other cases are the same to a search', () => {
  const apart: string[] = []
  for (let code = 0; code <= 0x1_ff_ff; code++) {
    const character = String.fromCodePoint(code)
    const cases = [character, character.toLowerCase(), character.toUpperCase()].map(ignoreCase)
    if (new Set(cases).size > 1) apart.push(character)
  }
  expect(apart).toEqual([])
})

it('[log-1] search finds a text in any of its cases', async () => {
  await using memory = await openMemory(':memory:')
  const chat = memory.scope('a').session('s')
  await chat.append({ role: 'user', content: 'STRAẞE in İstanbul, 300 K' })
  for (const text of ['straße', 'STRASSE', 'i̇stanbul', 'İSTANBUL', '300 k'])
    expect(await chat.search(text)).toHaveLength(1)
})
