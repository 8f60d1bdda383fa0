import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RowHeights } from '../../src/inspector/parts/row-heights.ts'

const measurements = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 900 })), { maxLength: 40 })

it('[inspector-1] rows begin where the heights of those before them end, measured or estimated', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 50 }),
      measurements,
      fc.integer({ min: -100, max: 40_000 }),
      (count, measured, height) => {
        const rows = new RowHeights(count, 96)
        const plain = Array.from({ length: count }, () => 96)
        for (const [row, size] of measured) {
          expect(rows.measure(row, size)).toBe(row < count ? size - (plain[row] ?? 0) : 0)
          if (row < count) plain[row] = size
        }
        const starts = [0]
        for (const size of plain) starts.push((starts.at(-1) ?? 0) + size)
        expect(Array.from({ length: count + 1 }, (_, row) => rows.startOf(row))).toEqual(starts)
        expect(rows.total).toBe(starts.at(-1))
        const found = starts.findLastIndex((start) => start <= height)
        expect(rows.rowAt(height)).toBe(Math.min(Math.max(0, found), Math.max(0, count - 1)))
      },
    ),
  )
})
