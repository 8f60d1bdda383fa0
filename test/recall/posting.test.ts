import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import type { ThreadChange } from '../../src/ports/recall-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-posting-'))
afterAll(() => rmSync(directory, { recursive: true }))

const note = (index: number): string =>
  `Note ${index}: the ${['walrus', 'heron', 'badger'][index % 3]} was seen at pond ${index % 17}.`

async function totals(store: Store): Promise<unknown> {
  const { shelves } = await store.recall.shelves(['a'])
  return shelves.filter(({ passages }) => passages > 0).map(({ kind, passages, words }) => ({ kind, passages, words }))
}

/** All that stands in the index of messages, by words and not by the keys that a database handed out. */
async function rowsOf({ recall }: Store): Promise<unknown> {
  const { shelves } = await recall.shelves(['a'])
  const shelf = shelves.find(({ kind }) => kind === 'message')
  const keys = shelf === undefined ? [] : [shelf.key]
  const terms = await recall.terms(['a'], keys, ['walrus', 'heron', 'badger', 'pond', 'pelican', 'note', '7'])
  const words = new Map(terms.map(({ key, term }) => [key, term]))
  const hits = await recall.hits(['a'], [...words.keys()], 10_000)
  const posted = await recall.posted('a', { after: 0, limit: 10_000 })
  const threads = await recall.threads(['a'], [...new Set(hits.map(({ thread }) => thread))])
  return {
    shelf: { passages: shelf?.passages, words: shelf?.words },
    terms: new Map(terms.map(({ term, passages }) => [term, passages])),
    hits: hits.map(({ term, ...hit }) => [words.get(term), hit]).toSorted(byText),
    posted: posted.map(({ key }) => key).toSorted(),
    threads: threads.toSorted((a, b) => a.thread - b.thread),
  }
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}

describe('posting', () => {
  it('that fails anywhere posts nothing twice and loses nothing', async () => {
    for (let failAt = 1; failAt <= 6; failAt++) {
      const store = await openSqliteStore(':memory:', Date.now)
      let changes = 0
      const change: Store['recall']['change'] = async (wanted) => {
        changes += 1
        if (changes === failAt) throw new Error('power cut')
        return store.recall.change(wanted)
      }
      const recall = { ...store.recall, change, postingsPerChange: 100 }
      const memory = await openMemoryWith({ ...store, recall })
      const scope = memory.scope('a')
      const chat = scope.session('s')
      const [first] = await chat.append(
        Array.from({ length: 100 }, (_, index) => ({ role: 'user' as const, content: note(index) })),
      )
      await scope.recall('walrus').catch((error: unknown) => expect(error).toMatchObject({ message: 'power cut' }))
      await chat.revise(first?.id ?? '', { content: 'A pelican instead.' })
      await chat.append({ role: 'user', content: 'One more walrus.' })
      await scope.recall('walrus').catch((error: unknown) => expect(error).toMatchObject({ message: 'power cut' }))
      await scope.recall('walrus')
      const kept = await totals(store)
      expect(kept).toMatchObject([{ kind: 'message', passages: 101 }])
      await memory.rebuild()
      await scope.recall('walrus')
      expect(await totals(store)).toEqual(kept)
      await memory.close()
    }
  })

  it('[know-6] lets others have their turn: changes are small, coming and going', async () => {
    const store = await openSqliteStore(':memory:', Date.now)
    const sizes: number[] = []
    const turns: number[] = []
    let turn = 0
    let isOver = false
    const count = (): void => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    const change: Store['recall']['change'] = async (wanted) => {
      const added = wanted.threads.flatMap(({ add }) => add).reduce((sum, { terms }) => sum + terms.length, 0)
      let gone = 0
      for (const { thread, remove } of wanted.threads)
        for (const range of remove)
          for (const { terms } of await store.recall.passages([wanted.scope], { thread, ...range }))
            gone += terms.length / 2
      if (added + gone > 0) {
        sizes.push(added + gone)
        turns.push(turn)
      }
      return store.recall.change(wanted)
    }
    const recall = new Proxy(store.recall, {
      get: (target, name) => (name === 'change' ? change : bind(target, name as keyof Store['recall'])),
    })
    const memory = await openMemoryWith({ ...store, recall })
    const scope = memory.scope('a')
    const letters = (number: number): string =>
      String(number).replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')
    const words = (from: number): string =>
      Array.from({ length: 50 }, (_, index) => `x${letters(from * 50 + index)}`).join(' ')
    await scope
      .session('s')
      .append(Array.from({ length: 200 }, (_, index) => ({ role: 'user' as const, content: words(index) })))
    count()
    await scope.recall('xc')
    await scope.session('s').clear()
    await scope.recall('xc')
    isOver = true
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2 * 200 * 50)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(store.recall.postingsPerChange)
    for (const [index, before] of turns.slice(0, -1).entries()) expect(turns[index + 1]).toBeGreaterThan(before)
    await memory.close()
  })

  it('[walls-214] of a session that is forgotten meanwhile leaves nothing of it in the index', async () => {
    const store = await openSqliteStore(':memory:', Date.now)
    const other = await openMemoryWith({ ...store, close: async () => undefined }, { learn: false })
    let changes = 0
    const change: Store['recall']['change'] = async (wanted) => {
      changes += 1
      if (changes === 1) await other.scope('a').forget({ session: 's' })
      return store.recall.change(wanted)
    }
    await using memory = await openMemoryWith({ ...store, recall: { ...store.recall, change } }, { learn: false })
    const chat = memory.scope('a').session('s')
    await chat.append([note(0), note(1)].map((content) => ({ role: 'user' as const, content })))
    await memory.scope('a').recall('walrus', { fresh: true })
    expect(changes).toBeGreaterThan(0)
    expect(await totals(store)).toEqual([])
    expect(await rowsOf(store)).toMatchObject({ terms: new Map(), posted: [] })
  })

  it('by several who ask at once, on one file, posts each message once', async () => {
    const file = join(directory, 'shared.db')
    const memories = await Promise.all([openMemory(file), openMemory(file), openMemory(file)])
    const scopes = memories.map((memory) => memory.scope('a'))
    await scopes[0]
      ?.session('s')
      .append(Array.from({ length: 600 }, (_, index) => ({ role: 'user' as const, content: note(index) })))
    const answers = await Promise.all(
      scopes.flatMap((scope) => Array.from({ length: 4 }, () => scope.recall('heron pond', { limit: 5 }))),
    )
    const whole = await memories[0]?.scope('a').recall('heron pond', { limit: 5 })
    const sources = (answer: (typeof answers)[number] | undefined): unknown => answer?.items.map(({ source }) => source)
    expect(whole?.items).toHaveLength(5)
    for (const answer of answers) expect(sources(answer)).toEqual(sources(whole))
    await Promise.all(memories.map((memory) => memory.close()))
    const store = await openSqliteStore(file, Date.now)
    expect(await totals(store)).toMatchObject([{ kind: 'message', passages: 600 }])
    await store.close()
  })

  it('[know-6] of many short sessions shares changes, and leaves the index of posting each by itself', async () => {
    const together = await openSqliteStore(':memory:', Date.now)
    const apart = await openSqliteStore(':memory:', Date.now)
    const changes: number[] = []
    const change: Store['recall']['change'] = (wanted) => {
      changes.push(wanted.threads.length)
      return together.recall.change(wanted)
    }
    const recall = { ...together.recall, change }
    const memories = [await openMemoryWith({ ...together, recall }), await openMemoryWith(apart)]
    for (const [nth, memory] of memories.entries()) {
      const scope = memory.scope('a')
      for (let session = 0; session < 60; session++) {
        const chat = scope.session(`s${session}`)
        const notes = Array.from({ length: 4 }, (_, index) => note(session * 4 + index))
        const [first] = await chat.append(notes.map((content) => ({ role: 'user' as const, content })))
        // These have more to tell than what is new.
        if (session % 20 === 7) await chat.revise(first?.id ?? '', { content: 'A pelican instead.' })
        if (session % 20 === 9) await chat.fork(`f${session}`)
        if (nth === 1) await scope.recall('walrus')
      }
      await scope.recall('walrus')
    }
    expect(Math.max(...changes)).toBeGreaterThan(20)
    expect(changes.length).toBeLessThan(40)
    const [ours, others] = [await rowsOf(together), await rowsOf(apart)]
    expect(ours).toEqual(others)
    for (const memory of memories) await memory.close()
  })

  it('of sessions that somebody else posts meanwhile posts each message once', async () => {
    for (let failAt = 1; failAt <= 3; failAt++) {
      const store = await openSqliteStore(':memory:', Date.now)
      const other = await openMemoryWith({ ...store, close: async () => undefined })
      let changes = 0
      const change: Store['recall']['change'] = async (wanted) => {
        changes += 1
        // All of it, or what is left of it: then some of what is written here is out of date and some is not.
        if (changes === failAt) await other.scope('a').recall('walrus')
        return store.recall.change(wanted)
      }
      const recall = { ...store.recall, change, postingsPerChange: 1_000 }
      const memory = await openMemoryWith({ ...store, recall })
      const scope = memory.scope('a')
      for (const [nth, size] of [20, 200, 20, 200, 20].entries())
        await scope
          .session(`s${nth}`)
          .append(Array.from({ length: size }, (_, index) => ({ role: 'user' as const, content: note(index) })))
      await scope.recall('walrus')
      expect(changes).toBeGreaterThanOrEqual(failAt)
      const kept = await rowsOf(store)
      expect(await totals(store)).toMatchObject([{ kind: 'message', passages: 460 }])
      await memory.rebuild()
      await scope.recall('walrus')
      expect(await rowsOf(store)).toEqual(kept)
      await memory.close()
    }
  })

  it('writes nothing, and says so, when the cursor stands elsewhere', async () => {
    const store = await openSqliteStore(':memory:', Date.now)
    const add = [
      {
        place: 1,
        reference: '',
        speaker: '',
        role: 2,
        at: 0,
        length: 1,
        cues: 0,
        terms: [{ term: 'walrus', weight: 5, impact: 99 }],
      },
    ]
    const change = {
      thread: 4,
      next: { version: 1, seq: 1 },
      remove: [],
      posted: [],
      unposted: [],
    }
    const write = (...threads: readonly ThreadChange[]): Promise<readonly boolean[]> =>
      store.recall.change({ scope: 'a', kind: 'message', threads })
    expect(await write({ ...change, expected: null, add })).toEqual([true])
    const other = { ...change, thread: 8, expected: null, add: [] }
    for (const expected of [null, { version: 0, seq: 1 }, { version: 1, seq: 0 }]) {
      const stale = { ...change, expected, next: { version: 9, seq: 9 }, add: [] }
      expect(await write(stale)).toEqual([false])
      // Who comes with it is not held up by it.
      expect(await write(stale, { ...other, thread: other.thread++ })).toEqual([false, true])
    }
    expect(await store.recall.threads(['a'], [4])).toMatchObject([{ version: 1, seq: 1, words: 1 }])
    await store.close()
  })

  it('[recall-6] finds the summaries of a compaction, until they are undone', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    const chat = scope.session('s')
    for (let index = 0; index < 60; index++)
      await chat.append({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${note(index)} ${'Nobody knew why it had come so far north. '.repeat(6)}`,
      })
    expect(await chat.compact({ force: true })).toMatchObject({ type: 'compacted' })
    const { items } = await scope.recall('walrus pond', { kinds: ['fold'] })
    expect(items.length).toBeGreaterThan(0)
    expect(items[0]).toMatchObject({ kind: 'fold', trust: 0, source: { session: 's' } })
    await chat.undo()
    expect((await scope.recall('walrus pond', { kinds: ['fold'] })).items).toEqual([])
  })
})

function bind<Target extends object>(target: Target, name: keyof Target): unknown {
  const value = target[name]
  return typeof value === 'function' ? value.bind(target) : value
}
