import { describe, expect, it } from 'vitest'
import { SLAB_BYTES } from '../../../src/recall/vectors/arena.ts'
import type { VectorStore } from '../../../src/ports/vector-store.ts'
import { embedder, find, scene, stored } from './scene.ts'

describe('[recall-9] vectors', () => {
  it('find the passage that is nearest', async () => {
    const { shelf, vectors } = await scene()
    shelf.add('acme', ['The parcel was lost in Lisbon', 'Ada likes green tea', 'The invoice was paid in March'])
    expect(await vectors.post()).toEqual({ stored: 3, skipped: 0 })
    expect(await find(vectors, 'acme', 'teas that Ada likes', 1)).toEqual(['p2'])
  })

  it('find nothing, and say nothing, where there are none', async () => {
    const { shelf, vectors } = await scene()
    expect(await find(vectors, 'acme', 'anything')).toEqual([])
    shelf.add('acme', ['Ada likes tea'])
    await vectors.post()
    expect(await find(vectors, 'acme', '   ')).toEqual([])
  })

  it('join without the others being read again', async () => {
    const { shelf, vectors, store } = await scene()
    const reads: unknown[] = []
    const read: VectorStore['read'] = store.vectors.read.bind(store.vectors)
    Object.assign(store.vectors, {
      read: (set: Parameters<typeof read>[0], which: Parameters<typeof read>[1]) => {
        if ('after' in which) reads.push(which.after)
        return read(set, which)
      },
    })
    shelf.add('acme', ['one apple', 'two pears'])
    await vectors.post()
    await find(vectors, 'acme', 'apple')
    shelf.add('acme', ['three plums'])
    await vectors.post()
    expect(await find(vectors, 'acme', 'three plums', 1)).toEqual(['p3'])
    expect(reads).toEqual([0, 2])
  })

  it('[found-47] are not made again when the index is, except of messages that were revised', async () => {
    const { shelf, vectors, calls } = await scene()
    shelf.add('acme', ['one apple', 'two pears', 'three plums'])
    await vectors.post()
    shelf.postAgain()
    shelf.revise('p2', 'two melons')
    shelf.add('acme', ['four figs'])
    calls.length = 0
    await vectors.post()
    expect(calls.flat()).toEqual(['two melons', 'four figs'])
    expect(await find(vectors, 'acme', 'one apple', 1)).toEqual(['p1'])
    expect(await find(vectors, 'acme', 'two melons', 1)).toEqual(['p2'])
  })

  it('that are removed are found no more, also by who had them in memory', async () => {
    const { shelf, vectors, store } = await scene()
    shelf.add('acme', ['one apple', 'two apples', 'three apples'])
    await vectors.post()
    expect(await find(vectors, 'acme', 'apples', 3)).toHaveLength(3)
    await store.vectors.remove('acme', ['p2'])
    expect((await find(vectors, 'acme', 'apples', 3)).toSorted()).toEqual(['p1', 'p3'])
    shelf.add('acme', ['four apples'])
    await vectors.post()
    expect((await find(vectors, 'acme', 'apples', 9)).toSorted()).toEqual(['p1', 'p3', 'p4'])
  })

  it('that are removed, however many, do not stand in the way of others', async () => {
    const { shelf, vectors, store } = await scene()
    shelf.add('acme', [...Array.from({ length: 60 }, (_, index) => `red apples, basket ${index}`), 'a pear'])
    await vectors.post()
    expect(await find(vectors, 'acme', 'red apples', 60)).not.toContain('p61')
    await store.vectors.remove('acme', shelf.keys('acme').slice(0, 60))
    expect(await find(vectors, 'acme', 'red apples', 1)).toEqual(['p61'])
  })

  it('of a passage that is removed while it is being embedded are never stored', async () => {
    let hold: (() => Promise<void>) | undefined
    const { shelf, vectors, store, calls } = await scene({ answer: async () => void (await hold?.()) })
    shelf.add('acme', ['a secret', 'no secret'])
    hold = async () => {
      hold = undefined
      shelf.take('acme', 'p1')
      await store.vectors.remove('acme', ['p1'])
    }
    await vectors.post()
    expect(await stored(store, 'acme')).toEqual(['p2'])
    expect(calls).toEqual([['a secret', 'no secret'], ['no secret']])
  })

  it('are found in memory that is bounded: scopes leave, and one that is too large is searched in the file', async () => {
    const answer = ({ texts }: { texts: readonly string[] }): unknown =>
      texts.map((text) => Array.from({ length: 16_000 }, (_, index) => Math.sin(index * (text.length + 1))))
    const { shelf, vectors } = await scene({
      embedders: [embedder({ name: 'large', dimensions: 16_000, answer })],
      limits: { bytesMax: 2 * 262_144 },
    })
    const word = (length: number): string => 'x'.repeat(length)
    for (const scope of ['a', 'b', 'c']) shelf.add(scope, [word(3), word(5), word(7)])
    shelf.add(
      'd',
      Array.from({ length: 40 }, (_, index) => word(index + 1)),
    )
    await vectors.post()
    for (let round = 0; round < 2; round++) {
      for (const scope of ['a', 'b', 'c', 'd']) {
        const [best] = await find(vectors, scope, word(5), 1)
        expect(best).toBe(shelf.keys(scope)[scope === 'd' ? 4 : 1])
        expect(vectors.resident.bytes).toBeLessThanOrEqual(2 * 262_144)
      }
    }
    expect(vectors.resident.sets).toBe(2)
    // All at once: who is pushed out in the middle is answered all the same.
    const found = await Promise.all(
      ['a', 'b', 'c', 'd', 'a', 'b', 'c'].map((scope) => find(vectors, scope, word(5), 1)),
    )
    expect(found.flat()).toHaveLength(7)
  })

  it('of a scope that has to leave while it is still being read are found all the same, and no memory is lost', async () => {
    const answer = ({ texts }: { texts: readonly string[] }): unknown =>
      texts.map((text) => Array.from({ length: 250 }, (_, index) => Math.sin((index + 1) * Number(text))))
    const { shelf, vectors } = await scene({
      embedders: [embedder({ name: 'm', dimensions: 250, answer })],
      limits: { bytesMax: 3 * SLAB_BYTES, batch: 500 },
    })
    shelf.add(
      'large',
      Array.from({ length: 2_100 }, (_, index) => String(index + 1)),
    )
    const small = ['a', 'b', 'c', 'd', 'e']
    for (const scope of small) shelf.add(scope, ['7', '8'])
    await vectors.post()
    const found = await Promise.all(['large', ...small].map((scope) => find(vectors, scope, '7', 1)))
    expect(found).toEqual(['large', ...small].map((scope) => [shelf.keys(scope)[scope === 'large' ? 6 : 0]]))
    // The large one may have been the last to arrive. Each of these needs one part of the room, and pushes it out.
    for (const scope of small) await find(vectors, scope, '7', 1)
    expect(vectors.resident.bytes).toBe(vectors.resident.sets * SLAB_BYTES)
  })
})

describe('[recall-9] a change of model', () => {
  it('embeds anew while the old generation answers, and then deletes it', async () => {
    const before = await scene({ embedders: [embedder({ name: 'old' })] })
    before.shelf.add('acme', ['green tea', 'black coffee', 'red wine'])
    await before.vectors.post()
    let during: readonly string[] | undefined
    const old = embedder({ name: 'old' })
    const fresh = embedder({
      name: 'new',
      dimensions: 8,
      answer: async ({ texts }) => {
        during ??= await find(after.vectors, 'acme', 'black coffee', 1)
        return texts.map((text) => Array.from({ length: 8 }, (_, index) => Number(index === text.length % 8)))
      },
    })
    const after = await scene({ store: before.store, embedders: [fresh, old], limits: { batch: 1 } })
    for (const text of ['green tea', 'black coffee', 'red wine']) after.shelf.add('acme', [text])
    await after.vectors.post()
    expect(during).toEqual(['p2'])
    const sets = await after.store.vectors.sets(['acme'])
    expect(sets.map(({ generation, complete }) => [generation.model, generation.dimensions, complete])).toEqual([
      ['new', 8, true],
    ])
    expect(await stored(after.store, 'acme')).toEqual(['p1', 'p2', 'p3'])
    expect(await find(after.vectors, 'acme', 'xxx wine', 1)).toEqual(['p3'])
  })

  it('stands down when another process chose another model', async () => {
    const { store, shelf, vectors } = await scene({ embedders: [embedder({ name: 'old' })] })
    shelf.add('acme', ['green tea'])
    await vectors.post()
    const other = await scene({ store, embedders: [embedder({ name: 'new' })] })
    other.shelf.add('acme', ['green tea'])
    await other.vectors.post()
    shelf.add('acme', ['more tea'])
    expect(await vectors.post()).toMatchObject({ stored: 0, failure: { reason: 'superseded' } })
    expect((await store.vectors.sets(['acme'])).map(({ generation }) => generation.model)).toEqual(['new'])
  })

  it('can be taken back', async () => {
    const models = ['old', 'new', 'old']
    const { store } = await scene()
    for (const name of models) {
      const { shelf, vectors } = await scene({ store, embedders: [embedder({ name })] })
      shelf.add('acme', ['green tea'])
      expect(await vectors.post()).toEqual({ stored: 1, skipped: 0 })
      expect((await store.vectors.sets(['acme'])).map(({ generation }) => generation.model)).toEqual([name])
    }
  })

  it('is noticed when a model answers with other dimensions under its old name', async () => {
    const first = await scene({ embedders: [embedder({ name: 'm', dimensions: undefined })] })
    first.shelf.add('acme', ['green tea'])
    await first.vectors.post()
    const answer = ({ texts }: { texts: readonly string[] }): unknown => texts.map(() => [1, 2, 3])
    const { vectors, shelf, store } = await scene({
      store: first.store,
      embedders: [embedder({ name: 'm', dimensions: undefined, answer })],
    })
    shelf.add('acme', ['green tea', 'black coffee'])
    expect(await vectors.post()).toMatchObject({ failure: { reason: 'wrong-dimensions' } })
    expect(await vectors.post()).toEqual({ stored: 2, skipped: 0 })
    expect((await store.vectors.sets(['acme'])).map(({ generation }) => generation.dimensions)).toEqual([3])
  })
})
