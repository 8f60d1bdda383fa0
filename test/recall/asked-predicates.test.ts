import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const told = [
  ['works_as', 'nurse'],
  ['name', 'Ada'],
  ['birthday', '1990-05-04'],
  ['lives_in', 'Graz'],
  ['allergic_to', 'peanuts'],
  ['child', 'Mia'],
] as const
const asked = [
  ['What is my job?', 'nurse'],
  ['Who am I?', 'Ada'],
  ['When was I born?', '1990-05-04'],
  ['Which city am I in?', 'Graz'],
  ['What should I eat?', 'peanuts'],
  ['How many kids do I have?', 'Mia'],
  ['Was bin ich von Beruf?', 'nurse'],
] as const

it('[found-43] questions about oneself find facts that were told in other words, and other questions do not', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  await scope.remember(told.map(([predicate, object]) => ({ subject: 'user', predicate, object })))
  const found: string[] = []
  for (const [question] of asked) found.push((await scope.recall(question)).items[0]?.text ?? '')
  for (const [index, [question, answer]] of asked.entries()) expect(found[index], question).toContain(answer)
  for (const other of ['Write a job ad', 'List three towns', 'What is 17 * 23?'])
    expect((await scope.recall(other, { relevant: true })).items, other).toEqual([])
})
