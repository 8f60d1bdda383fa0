import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import type { MemoryOptions } from '../../src/api/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Store } from '../../src/ports/store.ts'
import { Posting } from '../../src/recall/posting.ts'
import { wrapLog } from '../../src/sealing/wrap-log.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

/** A memory whose index of one scope cannot be written before `open` is called. */
async function slowIndex(
  of: string,
  options: MemoryOptions = {},
): Promise<{ readonly memory: Memory; readonly store: Store; readonly open: () => void }> {
  const store = await openSqliteStore(':memory:', Date.now)
  const gate = Promise.withResolvers<void>()
  const change: Store['recall']['change'] = async (wanted) => {
    if (wanted.scope === of && wanted.kind === 'message') await gate.promise
    return store.recall.change(wanted)
  }
  const memory = await openMemoryWith(
    { ...store, recall: { ...store.recall, change } },
    { learn: false, recallWaitMs: 0, ...options },
  )
  return { memory, store, open: () => gate.resolve() }
}

it('[walls-103] recall does not wait for a backlog: it returns what is posted and how far it is behind', async () => {
  const { memory, open } = await slowIndex('acme/ada')
  const ada = memory.scope('acme/ada')
  await ada.session('s').append([
    { role: 'user', content: 'The walrus sleeps.' },
    { role: 'user', content: 'The walrus wakes.' },
  ])
  await ada.remember({ subject: 'Walrus', predicate: 'likes', object: 'fish' })
  const found = await ada.recall('walrus', { kinds: ['message'] })
  expect(found).toMatchObject({ items: [], behind: { sessions: 1, messages: 2, facts: 1 } })
  open()
  const fresh = await ada.recall('walrus', { fresh: true })
  expect(fresh.items.map(({ kind }) => kind).toSorted()).toEqual(['fact', 'message', 'message'])
  expect(fresh.behind).toBeUndefined()
  await memory.close()
})

it("[walls-103] recall does not wait for another scope's backlog", async () => {
  const { memory, open } = await slowIndex('acme/bob', { recallWaitMs: 600_000 })
  await memory.scope('acme/bob').session('s').append({ role: 'user', content: 'The heron flies.' })
  const bob = memory.scope('acme/bob').recall('heron')
  const ada = memory.scope('acme/ada')
  await ada.session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  expect((await ada.recall('walrus')).items).toHaveLength(1)
  open()
  expect((await bob).items).toHaveLength(1)
  await memory.close()
})

it('[walls-103] after one question waited in vain, the next ones do not wait until all is posted', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const gate = Promise.withResolvers<void>()
  const change: Store['recall']['change'] = async (wanted) => {
    await gate.promise
    return store.recall.change(wanted)
  }
  const log = await openMemoryWith({ ...store, close: async () => undefined }, { learn: false })
  await log.scope('acme/ada').session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  const { loadAnalyser } = await import('../../src/recall/analyser.ts')
  const searchable = wrapLog(store.log, undefined, 'searchable')
  const parts = { log: searchable, recall: { ...store.recall, change }, analyser: await loadAnalyser() }
  // The first question waits for no time at all, the others for longer than this test may take.
  const waits = [0]
  const posting = new Posting(async () => parts, {
    get waitMs() {
      return waits.shift() ?? 600_000
    },
  })
  expect(await posting.within(['acme/ada'])).toEqual({ done: false })
  expect(await posting.within(['acme/ada'])).toEqual({ done: false })
  gate.resolve()
  await posting.now('acme/ada')
  expect(await posting.within(['acme/ada'])).toEqual({ done: true })
  await posting.close()
  await log.close()
  await store.close()
})

it('[walls-103] a context is made without waiting for the index', async () => {
  const { memory, open } = await slowIndex('acme/ada')
  const ada = memory.scope('acme/ada')
  await ada.session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  await ada.session('t').append({ role: 'user', content: 'Where does the walrus sleep?' })
  const { messages } = await ada.session('t').context({ budget: 2_000, recall: true })
  expect(messages).toHaveLength(1)
  open()
  await memory.close()
})

it('[walls-104] settled covers posting, of all scopes and with no recall', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const memory = await openMemoryWith(store, { learn: false })
  const scopes = ['acme/ada', 'acme/bob', 'acme']
  for (const scope of scopes.slice(0, 2))
    await memory.scope(scope).session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  await memory.scope('acme').remember({ subject: 'Walrus', predicate: 'likes', object: 'fish' })
  expect(await store.recall.unposted(scopes)).toEqual(scopes)
  await memory.settled()
  expect(await store.recall.unposted(scopes)).toEqual([])
  await memory.close()
})

it('[walls-104] what is appended is posted in the background, with no recall', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const posted = Promise.withResolvers<void>()
  const change: Store['recall']['change'] = async (wanted) => {
    const written = await store.recall.change(wanted)
    if (wanted.kind === 'message') posted.resolve()
    return written
  }
  const memory = await openMemoryWith({ ...store, recall: { ...store.recall, change } }, { learn: false })
  await memory.scope('acme/ada').session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  await posted.promise
  await memory.close()
})

it('[walls-105] an index that cannot be written does not fail a recall: it reports why it is behind, and fresh fails', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  let isFull = true
  const change: Store['recall']['change'] = async (wanted) => {
    if (isFull) throw new Error('the disk is full')
    return store.recall.change(wanted)
  }
  const memory = await openMemoryWith({ ...store, recall: { ...store.recall, change } }, { learn: false })
  const ada = memory.scope('acme/ada')
  await ada.session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  const found = await ada.recall('walrus')
  expect(found).toMatchObject({
    items: [],
    behind: { messages: 1, failure: expect.stringContaining('full') as string },
  })
  await expect(ada.recall('walrus', { fresh: true })).rejects.toThrow('full')
  isFull = false
  expect((await ada.recall('walrus')).items).toHaveLength(1)
  await memory.close()
})

it('[walls-104] closing a memory stops posting, and the next one continues', async () => {
  const store = await openSqliteStore(':memory:', Date.now)
  const first = await openMemoryWith({ ...store, close: async () => undefined }, { learn: false, recallWaitMs: 0 })
  const text = Array.from({ length: 400 }, (_, index) => ({
    role: 'user' as const,
    content: `Walrus number ${index}.`,
  }))
  await first.scope('a').session('s').append(text)
  await first.scope('a').recall('walrus')
  await first.close()
  const second = await openMemoryWith(store, { learn: false })
  const { items } = await second.scope('a').recall('walrus 399', { limit: 1 })
  expect(items[0]?.text).toBe('Walrus number 399.')
  await second.close()
})

it('[walls-104] a process that waits for posting does not end before it is done', { timeout: 60_000 }, async () => {
  const source = new URL('../../src/memory/open-memory.ts', import.meta.url).href
  const script = `
    const { openMemory } = await import(${JSON.stringify(source)})
    const memory = await openMemory(':memory:', { learn: false, recallWaitMs: 0 })
    const scope = memory.scope('a')
    const say = (word) => scope.session('s').append(
      Array.from({ length: 600 }, (_, index) => ({ role: 'user', content: word + ' ' + index })))
    await say('Walrus')
    await scope.recall('walrus')
    await memory.settled()
    await say('Heron')
    await scope.recall('heron')
    const { behind } = await scope.recall('heron', { fresh: true })
    await say('Badger')
    await scope.recall('badger')
    await memory.close()
    console.log(String(behind))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  expect(stdout).toBe('undefined\n')
})

it('[walls-103] a question is not behind where only messages that it does not search are missing', async () => {
  const { memory, open } = await slowIndex('acme')
  await memory.scope('acme').session('s').append({ role: 'user', content: 'The heron flies.' })
  const ada = memory.scope('acme/ada')
  await ada.session('s').append({ role: 'user', content: 'The walrus sleeps.' })
  await vi.waitFor(async () => expect((await ada.recall('walrus')).items).toHaveLength(1), { timeout: 30_000 })
  expect(await ada.recall('zeppelin')).not.toHaveProperty('behind')
  expect(await ada.recall('zeppelin', { ancestors: true })).toMatchObject({ behind: { messages: 1 } })
  open()
  await memory.close()
})
