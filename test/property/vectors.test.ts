import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { find, lineageOf, scene } from '../recall/vectors/scene.ts'
import { times } from '../tier.ts'

describe('[recall-9] [know-5] vectors', () => {
  it('of a scope are seen by it and by those below it, never by those beside or above it', async () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
    await fc.assert(
      fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 8 }), path, async (owners, reader) => {
        const { shelf, vectors, store } = await scene()
        for (const [index, owner] of owners.entries()) shelf.add(owner, [`tea number ${index}`])
        await vectors.post()
        const mine = lineageOf(reader).flatMap((scope) => shelf.keys(scope))
        expect((await find(vectors, reader, 'tea number', 99)).toSorted()).toEqual(mine.toSorted())
        await store.close()
      }),
      { numRuns: times({ daily: 30, nightly: 500 }) },
    )
  })

  it('are found the same in memory and in the file, whatever was added, removed and asked meanwhile', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        scope: fc.constantFrom('a', 'a/b'),
        count: fc.integer({ min: 1, max: 5 }),
      }),
      fc.record({ do: fc.constant('remove' as const), pick: fc.nat(99) }),
      fc.record({ do: fc.constant('ask' as const), pick: fc.nat(99) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const one = await scene()
        const { shelf, vectors, store } = one
        let made = 0
        for (const now of steps) {
          const keys = [...shelf.keys('a').map((key) => ['a', key]), ...shelf.keys('a/b').map((key) => ['a/b', key])]
          if (now.do === 'add') {
            shelf.add(
              now.scope,
              Array.from({ length: now.count }, () => `passage ${(made += 7) % 31} of ${made % 5}`),
            )
            await vectors.post()
          } else if (now.do === 'remove' && keys.length > 0) {
            const [scope = '', key = ''] = keys[now.pick % keys.length] ?? []
            shelf.take(scope, key)
            await store.vectors.remove(scope, [key])
          } else if (now.do === 'ask') await find(vectors, 'a/b', `passage ${now.pick}`)
        }
        const fresh = await scene({ store })
        const all = [...shelf.keys('a'), ...shelf.keys('a/b')]
        const found = await find(vectors, 'a/b', 'passage 7', 200)
        expect(found.toSorted()).toEqual(all.toSorted())
        expect(found).toEqual(await find(fresh.vectors, 'a/b', 'passage 7', 200))
        await store.close()
      }),
      { numRuns: times({ daily: 25, nightly: 500 }) },
    )
  })
})
