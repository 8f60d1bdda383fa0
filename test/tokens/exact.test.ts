import fc from 'fast-check'
import cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../src/tokens/exact.ts'
import { longRunCuts } from '../../src/tokens/long-runs.ts'
import { pathologicalSamples } from './pathological-samples.ts'
import { naturalSamples } from './samples.ts'

const plain = { disallowedSpecial: new Set<string>() }
const encodings = [
  { name: 'o200k_base', exact: o200k },
  { name: 'cl100k_base', exact: cl100k },
] as const

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    ' ',
    '  ',
    '\n',
    '\n\n',
    "'s",
    '<|endoftext|>',
    '123456',
    '中文',
    'ไทย',
    '👩‍👧',
    '\ud800',
    'e\u0301',
    '\r\n\t',
  ),
)
const text = fc.array(words, { maxLength: 40 }).map((pieces) => pieces.join(''))
const longRun = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom(...'abcdefgXYZ', 'é', 'и', '中', 'ก', '\u0e34', 'क', '\u093f'),
      minLength: 1,
      maxLength: 12,
    }),
    fc.integer({ min: 30, max: 160 }),
  )
  .map(([piece, times]) => piece.repeat(times))

describe.each(encodings)('loadTokenizer($name)', ({ name, exact }) => {
  it('[tok-1] counts what gpt-tokenizer counts on natural text', async () => {
    const tokenizer = await loadTokenizer(name)
    for (const sample of naturalSamples) {
      expect(longRunCuts(sample.text)).toEqual([])
      expect(tokenizer.count(sample.text)).toBe(exact.countTokens(sample.text, plain))
    }
  })

  it('[tok-1] counts what gpt-tokenizer counts on any text without over-long runs', async () => {
    const tokenizer = await loadTokenizer(name)
    fc.assert(
      fc.property(text, (value) => {
        fc.pre(longRunCuts(value).length === 0)
        expect(tokenizer.count(value)).toBe(exact.countTokens(value, plain))
      }),
      { numRuns: 300 },
    )
  })

  it('[tok-2] counts an over-long run in pieces, not below its true count and close to it', async () => {
    const tokenizer = await loadTokenizer(name)
    fc.assert(
      fc.property(longRun, (value) => {
        const truth = exact.countTokens(value, plain)
        const tokens = tokenizer.count(value)
        expect(tokens).toBeGreaterThanOrEqual(truth)
        expect(tokens).toBeLessThanOrEqual(truth + 3 * longRunCuts(value).length)
      }),
      { numRuns: 60 },
    )
  })

  it('[tok-2] is linear on pathological input', async () => {
    const tokenizer = await loadTokenizer(name)
    const twice = new Map(pathologicalSamples(8_000).map((sample) => [sample.name, sample.text]))
    for (const sample of pathologicalSamples(4_000)) {
      const ratio = tokenizer.count(twice.get(sample.name) ?? '') / tokenizer.count(sample.text)
      expect(ratio, sample.name).toBeGreaterThan(1.7)
      expect(ratio, sample.name).toBeLessThan(2.3)
    }
  })

  it('[tok-1] is loaded once, and says what it is', async () => {
    expect(await loadTokenizer(name)).toBe(await loadTokenizer(name))
    expect(await loadTokenizer(name)).toMatchObject({ name, exact: true })
  })

  it('[tok-1] takes text that spells a special token for text', async () => {
    const tokenizer = await loadTokenizer(name)
    expect(tokenizer.count('<|endoftext|>')).toBeGreaterThan(1)
    expect(tokenizer.count('')).toBe(0)
  })
})

describe('longRunCuts', () => {
  const oneRun = [
    'one letter',
    'one capital',
    'spaces',
    'one emoji',
    'accents on one letter',
    'one Han character',
    'punctuation',
    'deep JSON',
  ]

  it.each(pathologicalSamples(5_000).filter(({ name }) => oneRun.includes(name)))(
    '[tok-2] cuts a run into pieces of at most 256 bytes, parting no surrogate pair: $name',
    ({ text: value }) => {
      let start = 0
      for (const end of [...longRunCuts(value), value.length]) {
        const piece = value.slice(start, end)
        expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(256)
        expect(piece.isWellFormed()).toBe(true)
        start = end
      }
    },
  )

  it('[tok-2] leaves numbers, words and short runs alone', () => {
    expect(longRunCuts('1234567890'.repeat(1_000))).toEqual([])
    expect(longRunCuts('word '.repeat(1_000))).toEqual([])
    expect(longRunCuts('a'.repeat(256))).toEqual([])
    expect(longRunCuts('a'.repeat(257))).toEqual([256])
  })
})
