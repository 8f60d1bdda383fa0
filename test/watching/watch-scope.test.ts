import { expect, it } from 'vitest'

import { openMemory } from '../../src/index.ts'

it('[inspector-19] a watch reports what is appended right after it was opened, even when the event loop is busy', async () => {
  await using memory = await openMemory(':memory:')
  const ada = memory.scope('acme/ada')
  const counted = ada.session('other').count()
  // From here on, reads wait for the next turn of the event loop.
  for (const end = performance.now() + 20; performance.now() < end;);
  const events = ada.watch({ kinds: ['message'] })
  await ada.session('support-42').append({ role: 'user', content: 'My order 7731 is late, again.' })
  expect(await events.next()).toMatchObject({ value: { type: 'message', session: 'support-42' } })
  await counted
})
