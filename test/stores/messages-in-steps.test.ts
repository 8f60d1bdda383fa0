import { expect, it, vi } from 'vitest'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[walls-254] reads a page of long messages in steps, in their order, and lets others run in between', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const session = memory.scope('acme').session('long')
  const long = 'x '.repeat(750 * 1024)
  for (const id of ['a', 'b', 'c', 'd'])
    await session.append({ id, role: 'user', content: id === 'c' ? 'short' : `${id}${long}` })
  let turns = 0
  let isRead = false
  const turn = (): void => {
    turns += 1
    if (!isRead) setImmediate(turn)
  }
  setImmediate(turn)
  const all = await session.history()
  isRead = true
  expect(all.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  expect(turns).toBeGreaterThanOrEqual(2)
  expect((await session.recent(3)).map(({ id }) => id)).toEqual(['b', 'c', 'd'])
  expect((await session.history({ limit: 2, after: 1 })).map(({ id }) => id)).toEqual(['b', 'c'])
})

it('[walls-255] syncs a transcript that several transactions hold', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const session = memory.scope('acme').session('long')
  const transcript = Array.from({ length: 1_300 }, (_, at) => ({
    id: `m${at}`,
    role: 'user' as const,
    content: `${at}`,
  }))
  const { appended } = await session.sync(transcript)
  expect(appended.map(({ id }) => id)).toEqual(transcript.map(({ id }) => id))
  expect(await session.sync(transcript)).toMatchObject({ appended: [], revised: [], removed: [] })
  expect(await session.count()).toBe(1_300)
})

it.each([false, true])(
  '[walls-255] stores each message of a transcript once when somebody else appends between its parts (ids: %s)',
  async (hasIds) => {
    await using memory = await openMemory(':memory:', { learn: false })
    const session = memory.scope('acme').session('long')
    const transcript = Array.from({ length: 1_100 }, (_, at) => ({
      ...(hasIds ? { id: `m${at}` } : {}),
      role: 'user' as const,
      content: `${at}`,
    }))
    const { store } = LocalMemory.partsOf(memory).log
    const change = store.change.bind(store)
    let changes = 0
    vi.spyOn(store, 'change').mockImplementation(async (one) => {
      if (++changes === 2) await session.append({ id: 'other', role: 'user', content: 'Hello' })
      return change(one)
    })
    const { appended, removed } = await session.sync(transcript)
    expect(appended.map(({ seq }) => seq)).toHaveLength(1_100)
    expect(removed).toEqual(['other'])
    const live = (await session.history({ limit: 2_000 })).filter((message) => message.removed !== true)
    expect(live.map(({ parts }) => parts)).toEqual(transcript.map(({ content }) => [{ type: 'text', text: content }]))
    expect(await session.sync(transcript)).toMatchObject({ appended: [], revised: [], removed: [] })
  },
)
