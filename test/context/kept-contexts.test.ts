import { describe, expect, it, vi } from 'vitest'
import type { NewKeptContext } from '../../src/ports/kept-context-store.ts'
import { type KeptContextsWiring, KeptContexts } from '../../src/context/kept/kept-contexts.ts'
import type { ContextToRecord } from '../../src/context/kept/context-to-record.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { balanced } from '../../src/context/policies/balanced.ts'

const NONE = { total: 0, budget: 1, reserve: 0, system: 0, blocks: 0, pinned: 0, folds: 0, messages: 0 } as const

/** A store that ends its first write when told to. */
function slowStore(): { parts: KeptContextsWiring; kept: NewKeptContext[]; go: () => void } {
  const kept: NewKeptContext[] = []
  const gate = Promise.withResolvers<void>()
  let id = 0
  const keptContexts = {
    keep: async (contexts: readonly NewKeptContext[]) => {
      await gate.promise
      kept.push(...contexts)
      return []
    },
    forgettings: async () => '',
    list: async () => [],
    read: async () => undefined,
    texts: async () => [],
    expire: async () => false,
  }
  const log = { clock: { now: () => 0 }, newId: () => String(id++) }
  return { parts: { store: { keptContexts }, log }, kept, go: () => gate.resolve() }
}

function built(begun: number): ContextToRecord {
  const receipt = { lines: [], blocks: [], tokens: { ...NONE, recalled: 0, plan: 0, framing: 0, exact: true } }
  return {
    address: { scope: 'a', session: 's' },
    begun: { moment: begun, forgettings: '' },
    window: { view: { version: 1, lastSeq: 1, session: { key: 1 } }, entries: [] } as never,
    options: { policy: balanced(), budget: 1 },
    room: 1,
    terms: { system: [], plan: [], entries: [], blocks: [] },
    assembled: { messages: [], receipt: { ...receipt, bytes: 0, repairs: [] } },
    cache: { equalTokens: 0, totalTokens: 0, firstDifference: null, breakpoints: [] },
    recalled: [],
  }
}

describe('records of contexts', () => {
  it('[inspector-14] are shed while the store is slower than contexts are built, and the next record says how many', async () => {
    const { parts, kept, go } = slowStore()
    const queue = new KeptContexts()
    for (let context = 0; context < 1_000; context++) queue.add(parts, built(queue.moment))
    go()
    await queue.settled(parts)
    const missed = 1_000 - kept.length
    expect(missed).toBeGreaterThan(500)
    queue.add(parts, built(queue.moment))
    await queue.settled(parts)
    const said = kept.map(({ row }) => (JSON.parse(row.head) as { missed: number }).missed)
    expect(said.reduce((sum, each) => sum + each, 0)).toBe(missed)
  })

  it('[inspector-12] are dropped if something was forgotten since the context was begun', async () => {
    const { parts, kept, go } = slowStore()
    go()
    const queue = new KeptContexts()
    const before = built(queue.moment)
    queue.add(parts, before)
    const release = await queue.hold()
    await queue.settled(parts)
    release()
    queue.add(parts, before)
    await queue.settled(parts)
    expect(kept).toEqual([])
  })

  it('[inspector-11] are written after a while, also after something was forgotten', async () => {
    vi.useFakeTimers()
    try {
      const { parts, kept, go } = slowStore()
      go()
      const queue = new KeptContexts()
      queue.add(parts, built(queue.moment))
      const release = await queue.hold()
      await vi.advanceTimersByTimeAsync(1_000)
      release()
      queue.add(parts, built(queue.moment))
      await vi.advanceTimersByTimeAsync(1_000)
      expect(kept).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('[inspector-11] are deleted in slices', async () => {
    const store = await openSqliteStore(':memory:', Date.now)
    await using memory = await openMemoryWith(store)
    await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
    const place = { scope: 'a', session: 's' }
    const { key = 0 } = (await store.log.session('a', 's')) ?? {}
    const row = (id: number) => ({ id: String(id), at: 1, version: 1, borrowed: false, head: '{}', body: '{}' })
    const keep = (session: number): Promise<readonly string[]> =>
      store.keptContexts.keep(
        Array.from({ length: 450 }, (_, id) => ({ ...place, key: session, forgettings: '', row: row(id), texts: [] })),
      )
    const count = async (): Promise<number> =>
      (await store.keptContexts.list(place, { since: 0, before: undefined, limit: 1_000 })).length
    await keep(key + 1)
    expect(await count()).toBe(0)
    await keep(key)
    const left: number[] = [await count()]
    while (await store.keptContexts.expire(2)) left.push(await count())
    expect(left).toEqual([450, 250, 50])
    expect(await count()).toBe(0)
  })
})

describe('a record that another process writes after something was forgotten', () => {
  it('[inspector-12] is left out if it shows what belongs to others, and so is one of a session that was begun again', async () => {
    const store = await openSqliteStore(':memory:', Date.now)
    await using memory = await openMemoryWith(store)
    // The queue of another process: nobody tells it what is forgotten here.
    const waiting: (() => Promise<unknown>)[] = []
    const keep: typeof store.keptContexts.keep = async (contexts) => {
      waiting.push(() => store.keptContexts.keep(contexts))
      return []
    }
    await using other = await openMemoryWith({
      ...store,
      close: async () => {},
      keptContexts: { ...store.keptContexts, keep },
    })
    const scope = memory.scope('a/b')
    await memory.scope('a').blocks.set('house-rules', 'The code is 4711.')
    await scope.session('s').append({ role: 'user', content: 'Hello' })
    await other.scope('a/b').session('s').context({ budget: 1_000 })
    await other.settled()
    await memory.scope('a').forget({ block: 'house-rules' })
    await memory.scope('a').blocks.set('house-rules', 'The code is 4712.')
    await waiting.pop()?.()
    expect(await scope.session('s').contexts()).toEqual([])
    await other.scope('a/b').session('s').context({ budget: 1_000, blocks: false })
    await other.settled()
    await scope.forget({ session: 's' })
    await scope.session('s').append({ role: 'user', content: 'Hello' })
    await waiting.pop()?.()
    expect(await scope.session('s').contexts()).toEqual([])
    await scope.session('s').context({ budget: 1_000 })
    expect(await scope.session('s').contexts()).toHaveLength(1)
  })
})

describe('a record that is not whole any more', () => {
  it('[inspector-11] says from which message on it is not what was handed out', async () => {
    const store = await openSqliteStore(':memory:', Date.now)
    const lossy: typeof store = {
      ...store,
      keptContexts: {
        ...store.keptContexts,
        texts: async (place, hashes) =>
          (await store.keptContexts.texts(place, hashes)).filter(({ body }) => !body.includes('Be brief.')),
      },
    }
    await using memory = await openMemoryWith(lossy)
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'Hello' })
    await chat.context({ budget: 1_000, system: 'Be brief.' })
    const [listed] = await chat.contexts()
    expect(await chat.contextAt(listed?.id ?? '')).toMatchObject({ agrees: false, firstDifference: 0 })
  })
})
