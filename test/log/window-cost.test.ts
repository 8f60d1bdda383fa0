import { expect, it } from 'vitest'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

it.each([true, false])(
  '[log-1] a window costs what is in it, not what was cleared (keepSystem: %s)',
  async (keepSystem) => {
    const store = await openSqliteStore(':memory:', Date.now)
    let rows = 0
    const log: typeof store.log = {
      ...store.log,
      messages: async (query) => {
        const found = await store.log.messages(query)
        rows += found.length
        return found
      },
    }
    await using memory = await openMemoryWith({ ...store, log }, { learn: false })
    const chat = memory.scope('a').session('s')
    const user = { role: 'user', content: 'x' } as const
    await chat.append([{ role: 'system', content: 'be kind' }, ...Array.from({ length: 900 }, () => user)])
    await chat.clear({ keepSystem })
    await chat.append([user, user, user])
    rows = 0
    expect(await chat.window()).toHaveLength(keepSystem ? 4 : 3)
    expect(rows).toBeLessThanOrEqual(4)
  },
)
