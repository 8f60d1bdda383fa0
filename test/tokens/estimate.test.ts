import fc from 'fast-check'
import cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { estimator } from '../../src/tokens/estimate.ts'
import { pathologicalSamples } from './pathological-samples.ts'
import { naturalSamples } from './samples.ts'

const plain = { disallowedSpecial: new Set<string>() }
const vocabularies = [
  { vocabulary: 'large', exact: o200k },
  { vocabulary: 'small', exact: cl100k },
] as const

const anyText = fc.string({ unit: 'binary', maxLength: 200 })
const mixedText = fc
  .array(fc.oneof(fc.constantFrom(...naturalSamples.map((sample) => sample.text.slice(0, 120))), anyText), {
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''))

describe('estimator', () => {
  for (const { vocabulary, exact } of vocabularies) {
    it.each(naturalSamples)(
      `[tok-1] is within -5 and +20 per cent of the ${vocabulary} vocabulary: $name`,
      ({ text }) => {
        const ratio = estimator(vocabulary).count(text) / exact.countTokens(text, plain)
        expect(ratio).toBeGreaterThan(0.95)
        expect(ratio).toBeLessThan(1.2)
      },
    )

    it(`[tok-1] is above the ${vocabulary} vocabulary over all classes together`, () => {
      const text = naturalSamples.map((sample) => sample.text).join('\n\n')
      const ratio = estimator(vocabulary).count(text) / exact.countTokens(text, plain)
      expect(ratio).toBeGreaterThan(1)
      expect(ratio).toBeLessThan(1.12)
    })
  }

  it.each(naturalSamples)('[tok-1] by default is not below either vocabulary: $name', ({ text }) => {
    const most = Math.max(o200k.countTokens(text, plain), cl100k.countTokens(text, plain))
    expect(estimator().count(text) / most).toBeGreaterThan(0.97)
  })

  it('[tok-1] rounds up: no text but the empty one is free', () => {
    expect(estimator().count('')).toBe(0)
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = estimator().count(text)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(text.length > 0 ? 1 : 0)
      }),
    )
  })

  it.each([
    ['a', 1],
    [' ', 1],
    ['\n', 1],
    ['hello world', 3],
    ['1234567', 3],
    ['你好', 3],
    ['\ud800', 1],
    ['\u0000', 1],
    ['👍', 3],
    ['{"a":1}', 6],
    ['       ', 3],
  ])('[tok-1] pins small counts: %j', (text, tokens) => {
    expect(estimator().count(text)).toBe(tokens)
  })

  it('[tok-1] counts the same for ever under one name', () => {
    const sum = (vocabulary: 'large' | 'small'): number =>
      naturalSamples.reduce((tokens, { text }) => tokens + estimator(vocabulary).count(text), 0)
    expect({ [estimator('large').name]: sum('large'), [estimator('small').name]: sum('small') }).toEqual({
      'estimate-2-large': 9_145,
      'estimate-2': 12_167,
    })
  })

  it('[tok-1] counts a text higher the longer it is', () => {
    fc.assert(
      fc.property(mixedText, mixedText, (text, more) => {
        for (const { vocabulary } of vocabularies) {
          // White space at the end is a token of its own until a word follows.
          const { count } = estimator(vocabulary)
          expect(count(text + more)).toBeGreaterThanOrEqual(/\s$/.test(text) ? count(text) - 1 : count(text))
        }
      }),
    )
  })

  it('[tok-1] is additive but for the seam', () => {
    fc.assert(
      fc.property(mixedText, mixedText, (left, right) => {
        const whole = estimator().count(`${left}\n${right}`)
        const parts = estimator().count(left) + estimator().count(right)
        // The seam, and what the left text taught about its language.
        expect(Math.abs(whole - parts)).toBeLessThanOrEqual(40 + parts * 0.5)
      }),
    )
  })

  it('[tok-1] is deterministic and keeps no state between texts', () => {
    fc.assert(
      fc.property(mixedText, mixedText, (text, other) => {
        const first = estimator().count(text)
        estimator().count(other)
        expect(estimator().count(text)).toBe(first)
      }),
    )
  })

  it.each(pathologicalSamples(20_000))(
    '[tok-2] is linear on $name: twice the text, twice the tokens',
    ({ name, text }) => {
      const twice = pathologicalSamples(40_000).find((sample) => sample.name === name)?.text ?? ''
      const ratio = estimator().count(twice) / estimator().count(text)
      expect(ratio).toBeGreaterThan(1.8)
      expect(ratio).toBeLessThan(2.2)
    },
  )

  it('[tok-2] survives a megabyte of each', () => {
    for (const { text } of pathologicalSamples(1_000_000)) expect(estimator().count(text)).toBeGreaterThan(1_000)
  })
})
