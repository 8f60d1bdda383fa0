import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[log-2] a description that failed once is tried again, and fails unheard in no case', async () => {
  let fails = true
  await using memory = await openMemory(':memory:', {
    redact: {
      message: (message) => {
        if (fails && message.role === 'system') throw new Error('not now')
        return message
      },
    },
  })
  const chat = memory.scope('a').session('s', { description: 'Answer in verse.' })
  const many = Array.from({ length: 1_001 }, () => ({ role: 'user' as const, content: 'x' }))
  await expect(chat.append(many)).rejects.toMatchObject({ code: 'input/too-large' })
  await expect(chat.append({ role: 'user', content: 'x' })).rejects.toThrow('not now')
  fails = false
  await chat.append({ role: 'user', content: 'x' })
  expect((await chat.history()).map(({ role }) => role)).toEqual(['system', 'user'])
})
