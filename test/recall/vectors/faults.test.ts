import { describe, expect, it } from 'vitest'
import { Spend } from '../../../src/model/spend.ts'
import { embedder, find, scene, stored } from './scene.ts'

const texts = ['one apple', 'two pears', 'three plums', 'four figs']

const wrong: Readonly<Record<string, (count: number) => unknown>> = {
  'too few': (count) => Array.from({ length: count - 1 }, () => good()),
  'too many': (count) => Array.from({ length: count + 1 }, () => good()),
  'too short': (count) => Array.from({ length: count }, () => good().slice(1)),
  'too long': (count) => Array.from({ length: count }, () => [...good(), 1]),
  empty: (count) => Array.from({ length: count }, () => []),
  NaN: (count) => Array.from({ length: count }, () => [Number.NaN, ...good().slice(1)]),
  Infinity: (count) => Array.from({ length: count }, () => [Infinity, ...good().slice(1)]),
  'all zeros': (count) => Array.from({ length: count }, () => good().map(() => 0)),
  'no numbers': (count) => Array.from({ length: count }, () => good().map(String)),
  holes: (count) => Array.from({ length: count }, () => Array.from({ length: 384 }, () => undefined)),
  'no list': () => ({ 0: good() }),
  null: () => null,
  'one wrong among good ones': (count) => Array.from({ length: count }, (_, index) => (index === 0 ? [1] : good())),
}

const good = (): number[] => Array.from({ length: 384 }, (_, index) => Math.cos(index))

describe('[recall-9] an embedder that answers', () => {
  it.each(Object.keys(wrong))('%s is asked again, and nothing wrong is stored', async (name) => {
    const { shelf, vectors, store, pauses, calls } = await scene({
      answer: (request, call) => (call <= 2 ? wrong[name]?.(request.texts.length) : undefined),
    })
    shelf.add('acme', texts)
    expect(await vectors.post()).toEqual({ stored: 4, skipped: 0 })
    expect(calls).toEqual([texts, texts, texts])
    expect(pauses).toEqual([500, 1_000])
    expect(await stored(store, 'acme')).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(await find(vectors, 'acme', 'two pears', 1)).toEqual(['p2'])
  })

  it.each(Object.keys(wrong))('%s for ever stores nothing and stops', async (name) => {
    const { shelf, vectors, store, calls } = await scene({ answer: (request) => wrong[name]?.(request.texts.length) })
    shelf.add('acme', texts)
    const report = await vectors.post()
    expect(report).toMatchObject({ stored: 0, skipped: 0 })
    expect(report.failure?.reason).toMatch(/^(wrong-|not-finite|zero)/)
    expect(await stored(store, 'acme')).toEqual([])
    expect(calls.length).toBeLessThan(20)
  })

  it('wrong for one text only leaves that one out, and no other', async () => {
    const { shelf, vectors, store } = await scene({
      answer: (request) =>
        request.texts.includes('three plums')
          ? Promise.reject(Object.assign(new Error('bad text'), { status: 400 }))
          : undefined,
    })
    shelf.add('acme', texts)
    expect(await vectors.post()).toEqual({ stored: 3, skipped: 1 })
    expect(await stored(store, 'acme')).toEqual(['p1', 'p2', 'p4'])
    expect(await vectors.post()).toEqual({ stored: 0, skipped: 0 })
  })

  it.each([401, 403, 404])('%i is not asked again, and no text is blamed for it', async (status) => {
    const { shelf, vectors, calls } = await scene({
      answer: () => Promise.reject(Object.assign(new Error('no'), { statusCode: status })),
    })
    shelf.add('acme', texts)
    expect(await vectors.post()).toMatchObject({
      stored: 0,
      skipped: 0,
      failure: { reason: 'failed', detail: 'Error: no' },
    })
    expect(calls).toHaveLength(1)
  })

  it('nothing at all is asked four times, with longer and longer pauses, and later goes on', async () => {
    let down = true
    const { shelf, vectors, calls, pauses } = await scene({
      answer: () => (down ? Promise.reject(new Error('ECONNRESET')) : undefined),
    })
    shelf.add('acme', texts)
    expect(await vectors.post()).toMatchObject({ failure: { reason: 'failed', detail: 'Error: ECONNRESET' } })
    expect(calls).toHaveLength(4)
    expect(pauses).toEqual([500, 1_000, 2_000])
    down = false
    expect(await vectors.post()).toEqual({ stored: 4, skipped: 0 })
  })

  it('never is left behind at the deadline', async () => {
    let aborted = 0
    const { shelf, vectors } = await scene({
      answer: ({ signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted += 1))),
      limits: { deadlineMs: 5 },
    })
    shelf.add('acme', texts)
    expect(await vectors.post()).toMatchObject({ stored: 0, failure: { reason: 'timeout' } })
    expect(aborted).toBe(4)
  })

  it('too late to a question leaves the question to words', async () => {
    let stall = false
    const { shelf, vectors } = await scene({ answer: () => (stall ? new Promise(() => undefined) : undefined) })
    shelf.add('acme', texts)
    await vectors.post()
    stall = true
    const query = { scopes: ['acme'], text: 'pears', limit: 3 }
    expect(await vectors.search({ ...query, deadlineMs: 5 })).toMatchObject({
      hits: [],
      failure: { reason: 'timeout' },
    })
    const signal = AbortSignal.abort()
    expect(await vectors.search({ ...query, deadlineMs: 1_000, signal })).toMatchObject({
      hits: [],
      failure: { reason: 'aborted' },
    })
  })

  it('costs no more an hour than it may', async () => {
    let now = 0
    const spend = new Spend({ callsMax: 2 }, { now: () => now })
    const { shelf, vectors, store, calls } = await scene({ limits: { spend, batch: 1 } })
    shelf.add('acme', texts)
    expect(await vectors.post()).toMatchObject({ stored: 2, failure: { reason: 'over-spend' } })
    expect(await vectors.post()).toMatchObject({ stored: 0, failure: { reason: 'over-spend' } })
    now = 3_600_001
    expect(await vectors.post()).toMatchObject({ stored: 2 })
    expect(calls).toEqual(texts.map((text) => [text]))
    expect(await stored(store, 'acme')).toEqual(['p1', 'p2', 'p3', 'p4'])
  })

  it('is told to stop, and stops between two batches', async () => {
    const controller = new AbortController()
    const { shelf, vectors, store } = await scene({
      limits: { batch: 1 },
      answer: (_, call) => (call === 2 ? controller.abort() : undefined),
    })
    shelf.add('acme', texts)
    expect(await vectors.post({ signal: controller.signal })).toMatchObject({
      stored: 1,
      failure: { reason: 'aborted' },
    })
    expect(await stored(store, 'acme')).toEqual(['p1'])
  })
})

describe('[know-7] embedding', () => {
  it('that breaks off anywhere goes on where it stopped, and stores each vector once', async () => {
    const { shelf, vectors, store, calls } = await scene({ limits: { batch: 1 } })
    shelf.add('acme', texts)
    const commit = store.vectors.commit.bind(store.vectors)
    for (const [point, crash] of [
      ['before', 2],
      ['after', 3],
    ] as const) {
      let commits = 0
      Object.assign(store.vectors, {
        commit: async (batch: Parameters<typeof commit>[0]) => {
          commits += 1
          if (commits === crash && point === 'before') throw new Error('crash')
          const done = await commit(batch)
          if (commits === crash) throw new Error('crash')
          return done
        },
      })
      await expect(vectors.post()).rejects.toThrow('crash')
    }
    Object.assign(store.vectors, { commit })
    await vectors.post()
    expect(await stored(store, 'acme')).toEqual(['p1', 'p2', 'p3', 'p4'])
    // The one that was lost before it was stored, and no other, was asked for twice.
    expect(calls.map(([text]) => text)).toEqual(['one apple', 'two pears', 'two pears', 'three plums', 'four figs'])
  })

  it('by two processes at once stores each vector once', async () => {
    const first = await scene({ limits: { batch: 1 } })
    const second = await scene({ store: first.store, limits: { batch: 2 }, embedders: [embedder()] })
    for (const { shelf } of [first, second]) shelf.add('acme', texts)
    const reports = await Promise.all([first.vectors.post(), second.vectors.post()])
    expect(reports.reduce((sum, { stored: count }) => sum + count, 0)).toBe(4)
    expect(await stored(first.store, 'acme')).toEqual(['p1', 'p2', 'p3', 'p4'])
  })
})
