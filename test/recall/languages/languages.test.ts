import { describe, expect, it } from 'vitest'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { chinese } from './chinese.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'

const TOP = 3

describe.each([
  ['Chinese', chinese],
  ['Japanese', japanese],
  ['German', german],
])('[know-4] recall in %s', (_, { messages, questions }) => {
  const lines = messages.trim().split('\n')

  it('has 50 messages and 20 questions, each with one answer', () => {
    expect(lines).toHaveLength(50)
    expect(questions).toHaveLength(20)
    for (const [, answer] of questions) expect(lines.filter((line) => line.includes(answer))).toHaveLength(1)
  })

  it.each(questions)('%s', async (question, answer) => {
    await using memory = await openMemory(':memory:')
    const chat = memory.scope('acme').session('chat')
    await chat.append(
      lines.map((line, index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: line.trim(),
      })),
    )
    const { items } = await memory.scope('acme').recall(question, { limit: TOP })
    expect(items.map(({ text }) => text).join('\n')).toContain(answer)
  })
})
