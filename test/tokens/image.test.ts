import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IMAGE_FORMULAS, type ImageFormulaName, imageTokens } from '../../src/tokens/image.ts'

const names = Object.keys(IMAGE_FORMULAS) as ImageFormulaName[]

describe('imageTokens', () => {
  it.each<readonly [formula: ImageFormulaName, width: number, height: number, tokens: number]>([
    // OpenAI's own examples.
    ['gpt4o', 1_024, 1_024, 765],
    ['gpt4o', 2_048, 4_096, 1_105],
    ['gpt5', 1_024, 1_024, 70 + 4 * 140],
    ['o1', 1_024, 1_024, 75 + 4 * 150],
    ['gpt54', 1_024, 1_024, 1_024],
    ['gpt41Mini', 1_024, 1_024, Math.ceil(1_024 * 1.62)],
    ['gpt41Mini', 1_800, 2_400, Math.ceil(1_452 * 1.62)],
    ['o4Mini', 1_800, 2_400, Math.ceil(1_452 * 1.72)],
    ['gpt41Nano', 1_800, 2_400, Math.ceil(1_452 * 2.46)],
    // A small image is never enlarged.
    ['gpt4o', 512, 512, 85 + 170],
    ['gpt4o', 1, 1, 85 + 170],
    ['gpt41Mini', 1, 1, 2],
    // Anthropic's table: one by one is about 1,590 tokens at 1092 pixels; larger ones are shrunk.
    ['claude', 200, 200, 64],
    ['claude', 1_000, 1_000, 1_334],
    ['claude', 1_092, 1_092, 1_590],
    ['claude', 4_000, 4_000, 1_600],
    ['claudeOpus47', 4_000, 4_000, 4_784],
    // Google: 258 up to 384 pixels, then tiles; 960 × 540 is its example of six.
    ['gemini', 384, 384, 258],
    ['gemini', 960, 540, 6 * 258],
    ['gemini', 1_536, 1_536, 4 * 258],
    ['gemini', 3_072, 3_072, 16 * 258],
    ['gemini3', 4_000, 3_000, 1_120],
  ])('[tok-1] counts by the formula of %s: %i × %i is %i', (formula, width, height, tokens) => {
    expect(imageTokens({ width, height }, IMAGE_FORMULAS[formula])).toBe(tokens)
  })

  it('[tok-1] counts low detail low where the provider does', () => {
    expect(imageTokens({ width: 4_000, height: 4_000, detail: 'low' }, IMAGE_FORMULAS.gpt4o)).toBe(85)
    expect(imageTokens({ detail: 'low' }, IMAGE_FORMULAS.gpt5)).toBe(70)
    expect(imageTokens({ detail: 'low' }, IMAGE_FORMULAS.gpt41Mini)).toBe(Math.ceil(256 * 1.62))
    expect(imageTokens({ detail: 'low' }, IMAGE_FORMULAS.claude)).toBe(1_600)
  })

  it('[tok-1] takes the formula’s most without a size, and the most of all without a model', () => {
    const side = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        for (const name of names) {
          const tokens = imageTokens({ width, height }, IMAGE_FORMULAS[name])
          expect(Number.isInteger(tokens)).toBe(true)
          expect(tokens).toBeGreaterThan(0)
          expect(tokens).toBeLessThanOrEqual(imageTokens({}, IMAGE_FORMULAS[name]))
          expect(tokens).toBeLessThanOrEqual(imageTokens({ width, height }))
          expect(tokens).toBe(imageTokens({ width: height, height: width }, IMAGE_FORMULAS[name]))
        }
      }),
      { numRuns: 500 },
    )
    expect(imageTokens({})).toBe(Math.max(...names.map((name) => imageTokens({}, IMAGE_FORMULAS[name]))))
  })

  it.each([0, -1, NaN, Infinity])('[tok-1] takes a width of %d for an unknown size', (width) => {
    expect(imageTokens({ width, height: 10 })).toBe(imageTokens({}))
  })
})
