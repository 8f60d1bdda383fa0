import { beforeAll, describe, expect, it } from 'vitest'
import { times } from '../tier.ts'
import { repeatedUnits } from './growth/repeated-units.ts'
import { type SourcePattern, builtPatterns, sourcePatterns } from './growth/source-patterns.ts'
import { superlinear } from './growth/superlinear.ts'

/** Of the shorter text; the longer one is 16 times as long. */
const LENGTH = times({ daily: 2 * 1024, nightly: 256 * 1024 })
/** By day each pattern is tried with every so many of the units, each beginning with another. */
const EVERY = times({ daily: 24, nightly: 1 })

describe('regular expressions of the sources', () => {
  const { literals, makers } = sourcePatterns()
  let built: readonly SourcePattern[] = []
  beforeAll(async () => {
    built = await builtPatterns(makers.keys())
  })

  it('[walls-100] are all known: what is built from text is built when its file is loaded', () => {
    expect(literals.length).toBeGreaterThan(400)
    const missing = [...makers].filter(([file, count]) => built.filter((one) => one.file === file).length < count)
    expect(missing).toEqual([])
  })

  it(
    '[walls-100] take time in proportion to the text, for every text that repeats itself',
    { timeout: 60 * 60_000 },
    () => {
      const slow: string[] = []
      for (const [nth, { file, pattern }] of unique([...literals, ...built]).entries()) {
        const unit = repeatedUnits.find((one, index) => (index + nth) % EVERY === 0 && growth(pattern, one) > 0)
        if (unit !== undefined) slow.push(`${file}: ${String(pattern)} over ${JSON.stringify(unit)}`)
      }
      expect(slow).toEqual([])
    },
  )

  it('are seen to be quadratic when they are', () => {
    expect(growth(/=+$/, '=')).toBeGreaterThan(0)
    expect(growth(/[a-z]+(?:で|に)/u, 'aA')).toBe(0)
  })
})

/** Between two characters that most patterns end or fail at. */
function growth(pattern: RegExp, unit: string): number {
  // A sticky pattern is tried by its callers at every word: here at every character.
  const everywhere = new RegExp(pattern.source, `${pattern.flags.replaceAll(/[gy]/g, '')}g`)
  const text = (length: number): string => `a${unit.repeat(Math.ceil(length / unit.length))}\u0001`
  return superlinear((whole) => countOf(whole, everywhere), text, LENGTH)
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) count += 1
  return count
}

function unique(patterns: readonly SourcePattern[]): readonly SourcePattern[] {
  return [...new Map(patterns.map((one) => [String(one.pattern), one])).values()]
}
