import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { textOf } from '../../src/domain/text-of.ts'

it('[words-25] textOf gives the text of a message before and after it is stored, results of tools included', async () => {
  const given = [
    { role: 'user', content: 'Where is order 7731?' },
    {
      role: 'assistant',
      content: 'I look.',
      toolCalls: [{ id: 'c1', name: 'find_order', arguments: { order: 7731 } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'no such order' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'It is' },
        { type: 'text', text: 'not here.' },
      ],
    },
  ] as const
  await using memory = await openMemory(':memory:', { learn: false })
  const stored = await memory
    .scope('a')
    .session('s')
    .append([...given])
  const texts = ['Where is order 7731?', 'I look.', 'no such order', 'It is\nnot here.']
  expect([given.map(textOf), stored.map(textOf)]).toEqual([texts, texts])
})
