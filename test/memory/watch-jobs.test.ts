import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[inspector-19] a watch of a scope reports its jobs until they are done, and none of another scope', async () => {
  await using memory = await openMemory(':memory:')
  const events = memory.scope('a').watch({ kinds: ['job'] })
  await memory.scope('b').session('s').append({ role: 'user', content: 'I live in Oslo.' })
  await memory.scope('a').session('s').append({ role: 'user', content: 'I live in Lisbon.' })
  for await (const event of events) {
    expect(event).toMatchObject({ type: 'job', job: { scope: 'a' } })
    if (event.type === 'job' && event.job.state === 'done') break
  }
})
