import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Calibration } from '../../src/domain/calibration.ts'
import { calibrated, observe } from '../../src/tokens/calibrate.ts'

const model = 'claude-x'
const after = (ratios: readonly number[], start?: Calibration): Calibration | undefined =>
  ratios.reduce<Calibration | undefined>(
    (now, ratio) => observe(now, { estimated: 1_000, reported: 1_000 * ratio }, model),
    start,
  )

const ratio = fc.double({ min: 0.11, max: 9.9, noNaN: true })
const anyNumber = fc.oneof(fc.double(), fc.constantFrom(0, -1, NaN, Infinity, -Infinity, 1e308, 5e-324), fc.integer())
const distance = (calibration: Calibration | undefined, truth: number): number =>
  Math.abs(Math.log((calibration?.ratio ?? 1) / truth))

describe('calibration', () => {
  it('[tok-3] makes an estimate what the provider counts', () => {
    const learned = after(Array.from({ length: 40 }, () => 1.35))
    expect(calibrated(learned, 2_000).tokens).toBe(2_700)
    expect(calibrated(after(Array.from({ length: 400 }, () => 0.6)), 10_000).tokens).toBeLessThan(6_050)
  })

  it('[tok-3] comes closer with every report of the same truth, whatever was reported before', () => {
    fc.assert(
      fc.property(fc.array(ratio, { maxLength: 40 }), ratio, (before, truth) => {
        let now = after(before)
        for (let step = 0; step < 30; step++) {
          const next = observe(now, { estimated: 1_000, reported: 1_000 * truth }, model)
          expect(distance(next, truth)).toBeLessThanOrEqual(distance(now, truth) + 1e-12)
          now = next
        }
      }),
    )
  })

  it('[tok-3] follows a model whose tokenizer changed', () => {
    const changed = after(
      Array.from({ length: 300 }, () => 1.4),
      after(Array.from({ length: 50 }, () => 1)),
    )
    expect(changed?.ratio).toBeCloseTo(1.4, 1)
  })

  it('[tok-3] needs a smaller margin the more reports agree', () => {
    let margin = calibrated(undefined, 10_000).margin
    let now: Calibration | undefined
    for (let step = 0; step < 60; step++) {
      now = after([1], now)
      const next = calibrated(now, 10_000).margin
      expect(next).toBeLessThanOrEqual(margin)
      margin = next
    }
    expect(margin).toBeLessThanOrEqual(200)
  })

  it('[tok-3] keeps a wide margin while reports disagree', () => {
    const noisy = after(Array.from({ length: 60 }, (_, step) => (step % 2 === 0 ? 0.8 : 1.25)))
    const calm = after(Array.from({ length: 60 }, () => 1))
    expect(noisy?.ratio).toBeCloseTo(1, 1)
    expect(calibrated(noisy, 10_000).margin).toBeGreaterThan(5 * calibrated(calm, 10_000).margin)
  })

  it('[tok-3] does not trust a few reports that say the estimate is too high', () => {
    expect(calibrated(after([0.2]), 1_000).tokens).toBeGreaterThanOrEqual(840)
    expect(calibrated(after([1.5]), 1_000).tokens).toBe(1_500)
    const { tokens, margin } = calibrated(after([0.9, 0.9]), 1_000)
    expect(tokens + margin).toBeGreaterThanOrEqual(1_000)
  })

  it('[walls-4] limits what the first report can do as it limits later ones', () => {
    fc.assert(
      fc.property(ratio, (first) => {
        expect(Math.abs(Math.log(after([first])?.ratio ?? 1))).toBeLessThanOrEqual(0.45)
      }),
    )
    const { tokens, margin } = calibrated(after([9.9]), 1_000)
    expect(tokens + margin).toBeLessThan(2_500)
    expect(after(Array.from({ length: 60 }, () => 3))?.ratio).toBeCloseTo(3, 1)
  })

  it('[tok-3] hears an outlier without obeying it', () => {
    const settled = after(Array.from({ length: 20 }, () => 1.1))
    expect(after([9], settled)?.ratio).toBeLessThan(1.13)
  })

  it.each([
    [{ estimated: 1_000, reported: 0 }, 'not-a-count'],
    [{ estimated: 1_000, reported: -5 }, 'not-a-count'],
    [{ estimated: 1_000, reported: NaN }, 'not-a-count'],
    [{ estimated: 1_000, reported: Infinity }, 'not-a-count'],
    [{ estimated: 0, reported: 1_000 }, 'not-a-count'],
    [{ estimated: 10, reported: 12 }, 'too-small'],
    [{ estimated: 1_000, reported: 100_000 }, 'implausible'],
    [{ estimated: 100_000, reported: 1_000 }, 'implausible'],
  ] as const)('[tok-3] leaves out %j, and says why: %s', (usage, reason) => {
    const before = after([1.2, 1.3])
    expect(observe(before, usage, model)).toEqual({ ...before, ignored: 1, lastIgnored: reason })
    expect(observe(undefined, usage, model)).toEqual({
      model,
      samples: 0,
      ratio: 1,
      spread: 0,
      ignored: 1,
      lastIgnored: reason,
    })
  })

  it('[tok-3] is never NaN, never out of bounds and never negative, whatever is reported', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyNumber, anyNumber), { maxLength: 30 }), anyNumber, (reports, estimated) => {
        let now: Calibration | undefined
        for (const [guess, reported] of reports) now = observe(now, { estimated: guess, reported }, model)
        if (now !== undefined) {
          expect(now.ratio).toBeGreaterThanOrEqual(0.1)
          expect(now.ratio).toBeLessThanOrEqual(10)
          expect(now.spread).toBeGreaterThanOrEqual(0)
          expect(now.samples + now.ignored).toBe(reports.length)
          expect(JSON.parse(JSON.stringify(now))).toEqual(now)
        }
        const { tokens, margin } = calibrated(now, estimated)
        expect(tokens).toBeGreaterThanOrEqual(0)
        expect(margin).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('[tok-3] takes a damaged record for none', () => {
    const damaged: Calibration = { model, samples: 3, ratio: NaN, spread: 0, ignored: 0 }
    expect(calibrated(damaged, 1_000)).toEqual(calibrated(undefined, 1_000))
    expect(observe(damaged, { estimated: 1_000, reported: 1_200 }, model)).toMatchObject({ samples: 1, ratio: 1.2 })
  })

  it('[tok-3] rounds up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.array(ratio, { maxLength: 5 }), (estimated, ratios) => {
        const { tokens, margin } = calibrated(after(ratios), estimated)
        expect(Number.isInteger(tokens) && Number.isInteger(margin)).toBe(true)
        expect(tokens).toBeGreaterThan(0)
      }),
    )
  })
})
