import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'

it('[found-100] refuses a question of more than 8,000 characters, and searches for one of 8,000', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('acme')
  await scope.session('one').append({ role: 'user', content: 'The ferry to Hvar leaves at nine.' })
  const long = `ferry ${'x'.repeat(7_994)}`
  const { items } = await scope.recall(long)
  expect(items.map(({ text }) => text)).toEqual(['The ferry to Hvar leaves at nine.'])
  await expect(scope.recall(`${long}x`)).rejects.toMatchObject({
    code: 'input/invalid',
    message: expect.stringContaining('at most 8000 characters') as string,
  })
})
