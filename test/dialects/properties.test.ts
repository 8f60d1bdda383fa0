import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../src/domain/dialect.ts'
import { convert } from '../../src/dialects/convert.ts'
import { lint } from '../../src/dialects/lint.ts'
import type { LintOptions } from '../../src/dialects/options.ts'
import { repair } from '../../src/dialects/repair.ts'
import { allDialects, anyTranscript, garbage, mutate, mutation, runs, wireDialects } from './generators.ts'

function errorsOf(wire: unknown, dialect: Dialect, options: LintOptions = {}): readonly unknown[] {
  return lint(wire, dialect, options).filter((violation) => violation.severity === 'error')
}

/** Clean even with the unconfirmed rules raised, and a second repair changes nothing. */
function expectRepaired(wire: unknown, dialect: Dialect, options: LintOptions = {}): void {
  const before = JSON.stringify(wire)
  const once = repair(wire, dialect, options)
  expect(errorsOf(once, dialect, { ...options, unconfirmed: 'error' })).toEqual([])
  const twice = repair(once as unknown, dialect, options)
  expect(twice).toEqual(once)
  expect(twice.changes).toEqual([])
  expect(JSON.stringify(wire)).toBe(before)
}

const settings: readonly LintOptions[] = [
  {},
  { model: 'claude-opus-4-8', thinking: true },
  { model: 'gemini-3-pro' },
  { model: 'gpt-5', store: false },
  { profile: 'openai-compatible-strict' },
]
const anyOptions = fc.constantFrom(...settings)

describe.each(allDialects)('%s', (dialect) => {
  it('[msg-12] repairs any JSON into a clean transcript, and a clean one into itself', () => {
    fc.assert(
      fc.property(garbage, anyOptions, (wire, options) => expectRepaired(wire, dialect, options)),
      runs(400),
    )
  })

  it('[msg-12] repairs lists of anything', () => {
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 6 }), anyOptions, (wire, options) =>
        expectRepaired(wire, dialect, options),
      ),
      runs(300),
    )
  })

  it('[msg-12] repairs transcripts with calls and results in any order', () => {
    fc.assert(
      fc.property(anyTranscript, anyOptions, (drafts, options) => {
        expectRepaired(convert(drafts, { from: 'daybook', to: dialect }), dialect, options)
      }),
      runs(400),
    )
  })

  it('[msg-12] repairs valid transcripts after damage', () => {
    fc.assert(
      fc.property(
        anyTranscript,
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        anyOptions,
        (drafts, mutations, options) => {
          const valid = convert(repair(drafts, 'daybook'), { from: 'daybook', to: dialect })
          expectRepaired(mutations.reduce<unknown>(mutate, valid), dialect, options)
        },
      ),
      runs(400),
    )
  })

  it('[msg-12] leaves a clean transcript alone, byte for byte', () => {
    fc.assert(
      fc.property(anyTranscript, (drafts) => {
        const clean = repair(convert(drafts, { from: 'daybook', to: dialect }) as unknown, dialect)
        expect(JSON.stringify(repair(clean as unknown, dialect))).toBe(JSON.stringify(clean))
      }),
      runs(200),
    )
  })
})

describe.each(wireDialects)('from daybook to %s and back', (dialect) => {
  it('[msg-11] a valid transcript gives a valid one', () => {
    fc.assert(
      fc.property(anyTranscript, (drafts) => {
        const wire = convert(repair(drafts, 'daybook'), { from: 'daybook', to: dialect })
        expect(errorsOf(wire, dialect)).toEqual([])
      }),
      runs(400),
    )
  })

  it('[msg-13] the second round trip changes nothing', () => {
    fc.assert(
      fc.property(anyTranscript, (drafts) => {
        const clean = repair(drafts, 'daybook')
        const wire = convert(clean, { from: 'daybook', to: dialect })
        const back = convert(wire, { from: dialect, to: 'daybook' })
        const again = convert(back, { from: 'daybook', to: dialect })
        expect(again).toEqual(wire)
        expect(convert(again, { from: dialect, to: 'daybook' })).toEqual(back)
      }),
      runs(400),
    )
  })
})

describe.each(
  wireDialects.flatMap((from) => wireDialects.filter((to) => to !== from).map((to) => [from, to] as const)),
)('from %s to %s', (from, to) => {
  it('[msg-11] a valid transcript gives a valid one', () => {
    fc.assert(
      fc.property(anyTranscript, fc.array(mutation, { maxLength: 2 }), (drafts, mutations) => {
        const valid = convert(repair(drafts, 'daybook'), { from: 'daybook', to: from })
        const clean = repair(mutations.reduce<unknown>(mutate, valid), from)
        expect(errorsOf(convert(clean, { from, to }), to)).toEqual([])
      }),
      runs(40),
    )
  })
})
