import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tokenizer } from '../../src/ports/tokenizer.ts'
import { SLICE_CHARACTERS_MAX, countText } from '../../src/tokens/count-text.ts'
import { estimator } from '../../src/tokens/estimate.ts'
import { loadTokenizer } from '../../src/tokens/exact.ts'
import { pathologicalSamples } from './pathological-samples.ts'
import { naturalSamples } from './samples.ts'

interface Recorder extends Tokenizer {
  readonly slices: string[]
}

function recorder(): Recorder {
  const slices: string[] = []
  return {
    name: 'recorder',
    exact: true,
    slices,
    count(text) {
      slices.push(text)
      return 1
    },
  }
}

/** What bounds a turn of the event loop is the size of a slice; `bench/tokens.ts` prints the times. */
describe('countText', () => {
  it('[tok-2] hands a tokenizer slices of bounded size which together are the text', async () => {
    for (const { name, text } of pathologicalSamples(100_000)) {
      const tokenizer = recorder()
      await countText(tokenizer, text)
      expect(tokenizer.slices.join(''), name).toBe(text)
      expect(Math.max(...tokenizer.slices.map((slice) => slice.length)), name).toBeLessThanOrEqual(SLICE_CHARACTERS_MAX)
      expect(Math.min(...tokenizer.slices.map((slice) => slice.length)), name).toBeGreaterThan(0)
    }
  })

  it('[tok-2] gives the event loop a turn between slices', async () => {
    let turns = 0
    let counting = true
    const turn = (): void => {
      turns++
      if (counting) setImmediate(turn)
    }
    setImmediate(turn)
    const tokenizer = recorder()
    await countText(tokenizer, 'word '.repeat(20_000))
    counting = false
    expect(tokenizer.slices.length).toBeGreaterThan(10)
    expect(turns).toBeGreaterThanOrEqual(tokenizer.slices.length - 1)
  })

  it('[tok-2] does not part a surrogate pair', async () => {
    for (const prefix of ['', 'a']) {
      const tokenizer = recorder()
      await countText(tokenizer, prefix + '😀'.repeat(20_000))
      expect(tokenizer.slices.every((slice) => slice.isWellFormed())).toBe(true)
    }
  })

  it.each(['o200k_base', 'cl100k_base'] as const)(
    '[tok-1] sums to the exact count of the whole: %s',
    async (encoding) => {
      const tokenizer = await loadTokenizer(encoding)
      for (const { name, text } of naturalSamples) {
        // Scripts without any of the seams are counted a little high; they have their own test.
        if (!/[a-z0-9][ ,."]|[ぁ-ヿ一-鿿][，。、]/i.test(text)) continue
        const long = `${text}\n`.repeat(Math.ceil(20_000 / text.length))
        expect(await countText(tokenizer, long), name).toBe(tokenizer.count(long))
      }
    },
  )

  it('[tok-1] sums to the exact count wherever the seams fall', async () => {
    const tokenizer = await loadTokenizer('o200k_base')
    const english = (naturalSamples[0]?.text ?? '').repeat(14)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        async (start, noise) => {
          const text = noise + english.slice(start)
          expect(await countText(tokenizer, text)).toBe(tokenizer.count(text))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('[tok-1] is at most a few tokens high where a slice has no seam', async () => {
    const tokenizer = await loadTokenizer('o200k_base')
    for (const text of [
      naturalSamples.find(({ name }) => name === 'Thai')?.text ?? '',
      'русский текст без латиницы ',
    ]) {
      const long = text.repeat(Math.ceil(30_000 / text.length))
      const whole = tokenizer.count(long)
      const sum = await countText(tokenizer, long)
      expect(sum).toBeGreaterThanOrEqual(whole)
      expect(sum).toBeLessThanOrEqual(whole + 24)
    }
  })

  it('[tok-1] rounds an estimate up per slice and no more', async () => {
    const text = (naturalSamples[0]?.text ?? '').repeat(60)
    const whole = estimator().count(text)
    const sum = await countText(estimator(), text)
    expect(Math.abs(sum - whole)).toBeLessThanOrEqual(Math.ceil(text.length / SLICE_CHARACTERS_MAX) * 12)
  })

  it('[tok-1] counts nothing as nothing', async () => {
    expect(await countText(estimator(), '')).toBe(0)
  })
})
