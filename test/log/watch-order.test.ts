import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

it('[log-10] a watch yields a message whose append was called after it, also if looking for the end takes longer', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const { session } = store.log
  const log: typeof store.log = {
    ...store.log,
    session: async (...names) => {
      await setTimeout(50)
      return session(...names)
    },
  }
  await using memory = await openMemoryWith({ ...store, log }, { learn: false })
  const chat = memory.scope('acme/ada').session('s')
  const first = chat.watch()[Symbol.asyncIterator]().next()
  await chat.append({ role: 'user', content: 'Hello' })
  expect(await Promise.race([first.then(({ value }) => value?.seq), setTimeout(1_000, 'nothing')])).toBe(1)
})
