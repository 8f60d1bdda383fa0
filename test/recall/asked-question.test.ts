import { expect, it } from 'vitest'
import type { Scope } from '../../src/api/scope.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { longTermMemory } from '../../src/tools/long-term-memory.ts'

const question = { role: 'user', content: 'Which city do I live in?' } as const

/** What a context of the session recalls, and what the loop of an agent adds. */
async function recalledFor(scope: Scope): Promise<readonly string[]> {
  const { messages } = await scope.session('friday').context({ budget: 8_000, recall: true })
  return [
    JSON.stringify(messages.slice(1)),
    await longTermMemory(scope, { session: 'friday' }).retrieve(question, [question]),
  ]
}

it('a question that is stored itself, now or earlier, does not keep its answer from being recalled', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('acme/ada')
  await scope.session('monday').append([
    { role: 'user', content: 'My name is Ada. I live in Lisbon.' },
    { role: 'assistant', content: 'Nice to meet you, Ada.' },
  ])
  await scope.session('friday').append(question)
  await memory.settled()
  for (const text of await recalledFor(scope)) expect(text).toContain('I live in Lisbon')
  await scope.session('tuesday').append([question, { role: 'assistant', content: 'I do not know.' }])
  await memory.settled()
  for (const text of await recalledFor(scope)) expect(text).toContain('I live in Lisbon')
})

it('a question that was only asked before is not recalled, and its reply is', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('acme/ada')
  await scope.session('friday').append(question)
  await scope.session('monday').append({ role: 'user', content: 'The kettle is broken.' })
  await memory.settled()
  for (const text of await recalledFor(scope)) expect(text).not.toContain('kettle')
  await scope.session('tuesday').append([question, { role: 'assistant', content: 'In Porto.' }])
  await memory.settled()
  for (const text of await recalledFor(scope)) expect(text).toContain('In Porto.')
})
