import { expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openPostgresStore } from '../../src/stores/postgres/store.ts'
import { freshDatabase } from './database.ts'

it('[walls-214] learning leaves nothing behind of a session that is forgotten meanwhile', async () => {
  await using database = await freshDatabase()
  const store = await openPostgresStore(database.url, database.postgres, Date.now, () => undefined)
  let isForgotten = false
  const { change } = store.knowledge
  // The learner has read the session. Just before it writes, the session goes.
  const knowledge: typeof store.knowledge = {
    ...store.knowledge,
    change: async (scope, deciding) => {
      const forgetting = isForgotten ? undefined : memory.scope(scope).forget({ session: 's' })
      isForgotten = true
      await forgetting
      return change(scope, deciding)
    },
  }
  const memory: Memory = await openMemoryWith({ ...store, knowledge }, {})
  await memory.scope('acme/ada').session('s').append({ role: 'user', content: 'The order is late.' })
  await memory.settled()
  expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
  await memory.close()
})
