import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { uuid7Maker } from '../../src/domain/uuid7.ts'

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('[msg-7] makes well-formed ids that rise, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 48 - 10_000 }), { minLength: 1, maxLength: 50 }), (times) => {
      let index = 0
      const make = uuid7Maker(() => times[index++ % times.length] ?? 0, randomBytes)
      const ids = Array.from({ length: 200 }, make)
      for (const id of ids) expect(id).toMatch(SHAPE)
      expect(ids.toSorted()).toEqual(ids)
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )
})

it('[msg-7] carries the time in its first 48 bits and outlives 10,000 ids in one millisecond', () => {
  const make = uuid7Maker(() => Date.UTC(2026, 10, 15), randomBytes)
  const ids = Array.from({ length: 10_000 }, make)
  expect(Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 15))
  expect(new Set(ids).size).toBe(10_000)
})
