import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPEN_END, OPEN_START } from '../../src/domain/span.ts'
import { type Claim, place, replay } from '../../src/knowledge/timeline.ts'

const claim = (id: string, from: number | null, to: number | null, extra: Partial<Claim> = {}): Claim => ({
  id,
  from,
  to,
  trust: 2,
  learnedAt: 1_000,
  ...extra,
})

const spans = (claims: readonly Claim[]): Record<string, readonly (readonly [number, number])[]> =>
  Object.fromEntries(
    replay(claims).holdings.map((holding) => [holding.id, holding.spans.map(({ from, to }) => [from, to] as const)]),
  )

describe('[fact-5] a single value in time', () => {
  it('a first value without a time is valid for ever, a second from when it was learned', () => {
    expect(spans([claim('a', null, null)])).toEqual({ a: [[OPEN_START, OPEN_END]] })
    expect(spans([claim('a', null, null), claim('b', null, null, { learnedAt: 7 })])).toEqual({
      a: [[OPEN_START, 7]],
      b: [[7, OPEN_END]],
    })
  })

  it('an open value ends where the next begins, whichever was told first', () => {
    const expected = { a: [[1, 5]], b: [[5, OPEN_END]] }
    expect(spans([claim('a', 1, null), claim('b', 5, null)])).toEqual(expected)
    expect(spans([claim('b', 5, null), claim('a', 1, null)])).toEqual(expected)
  })

  it('a value in between splits, one that covers all leaves nothing', () => {
    expect(spans([claim('a', 0, null), claim('b', 3, 5)])).toEqual({
      a: [
        [0, 3],
        [5, OPEN_END],
      ],
      b: [[3, 5]],
    })
    expect(spans([claim('a', 3, 4), claim('b', 0, 10)])).toEqual({ a: [], b: [[0, 10]] })
  })

  it('a told end with an untold start reaches back to the last end', () => {
    expect(spans([claim('a', 1, 3), claim('b', null, 9)])).toEqual({ a: [[1, 3]], b: [[3, 9]] })
    expect(spans([claim('a', null, null), claim('b', null, 9)])).toEqual({ a: [[9, OPEN_END]], b: [[OPEN_START, 9]] })
  })

  it('[fact-6] less trust at the same time is disputed; at another time it is not', () => {
    const strong = claim('a', 5, 9, { trust: 3 })
    expect(place([{ id: 'a', trust: 3, spans: [{ from: 5, to: 9 }] }], claim('b', 8, 12))).toEqual({
      type: 'disputed',
      by: ['a'],
    })
    expect(spans([strong, claim('b', 9, 12)])).toEqual({ a: [[5, 9]], b: [[9, 12]] })
  })

  const claims = fc.array(
    fc.record({
      from: fc.option(fc.nat({ max: 30 }), { nil: null }),
      length: fc.option(fc.integer({ min: 1, max: 10 }), { nil: null }),
      trust: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 10 },
  )
  const made = (given: typeof claims extends fc.Arbitrary<infer Each> ? Each : never): readonly Claim[] =>
    given.map(({ from, length, trust }, index) =>
      claim(`${index}`, from, length === null ? null : (from ?? 15) + length, { trust, learnedAt: 20 + index }),
    )

  it('no two values at one time', () => {
    fc.assert(
      fc.property(claims, (given) => {
        const { holdings } = replay(made(given))
        for (let time = -1; time < 60; time++)
          expect(
            holdings.filter((one) => one.spans.some((span) => span.from <= time && time < span.to)).length,
          ).toBeLessThan(2)
      }),
    )
  })

  it('[fact-6] what is trusted less changes nothing about what is trusted more', () => {
    fc.assert(
      fc.property(claims, fc.integer({ min: 1, max: 3 }), (given, level) => {
        const all = made(given)
        const strong = (list: readonly Claim[]): unknown => replay(list).holdings.filter(({ trust }) => trust >= level)
        expect(strong(all)).toEqual(strong(all.filter(({ trust }) => trust >= level)))
      }),
    )
  })

  it('open values of equal trust give one history in any order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 100 }), { maxLength: 8 }), fc.nat(), (starts, seed) => {
        const told = starts.map((from) => claim(`${from}`, from, null))
        const shuffled = told.toSorted(
          (a, b) => (((a.from ?? 0) * 7919 + seed) % 101) - (((b.from ?? 0) * 7919 + seed) % 101),
        )
        expect(spans(shuffled)).toEqual(spans(told))
      }),
    )
  })
})
