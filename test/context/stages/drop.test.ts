import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Draft } from '../../../src/domain/message.ts'
import { totalTokens } from '../../../src/context/window/entry.ts'
import { drop } from '../../../src/context/stages/drop.ts'
import { summarise } from './at-once.ts'
import {
  applied,
  assistant,
  call,
  inputOf,
  result,
  say,
  seqsOf,
  shownIn,
  textOf,
  toolRounds,
  user,
  windowOf,
} from './window.ts'

const turn = (text: string): readonly Draft[] => [user(text), ...toolRounds(1, 400, text.length), assistant('done')]

describe('[cmp-1] drop: the oldest leave the window', () => {
  it('whole turns, until the target is met, with one line in their place', () => {
    const entries = windowOf([...turn('a'), ...turn('bb'), ...turn('ccc'), user('go on')])
    const tokens = totalTokens(entries)
    const [proposal, ...others] = drop(inputOf(entries, { target: tokens - 1 }), {})
    expect(others).toEqual([])
    expect(proposal).toMatchObject({ kind: 'drop', by: 'rule' })
    expect(textOf(proposal?.standIn)).toBe('[dropped 4 messages, 2026-01-01 10:00 to 10:03, trust 0, reopen {fold-id}]')
    expect(seqsOf([proposal ?? never()])).toEqual([[1, 2, 3, 4]])
  })

  it('at the target exactly it does nothing', () => {
    const entries = windowOf([...turn('a'), user('go on')])
    expect(drop(inputOf(entries, { target: totalTokens(entries) }), {})).toEqual([])
  })

  it('system messages, also in the middle, pins and the newest user turn stay', () => {
    const entries = windowOf([
      say('system', 'be kind'),
      ...turn('a'),
      say('system', 'and brief'),
      ...turn('bb'),
      user('go on'),
    ])
    const [proposal] = drop(inputOf(entries, { target: 0 }), {})
    expect(seqsOf([proposal ?? never()])).toEqual([[2, 3, 4, 5, 7, 8, 9, 10]])
  })

  it('of a turn with a pinned bundle the rest goes, oldest first', () => {
    const entries = windowOf([...turn('a word '.repeat(40)), ...turn('bb'), user('go on')])
    const input = inputOf(entries, { untouchable: new Set([2, 3, 9]), target: totalTokens(entries) - 1 })
    expect(seqsOf(drop(input, {}))).toEqual([[1]])
  })

  it('the current turn goes bundle by bundle', () => {
    const entries = windowOf([user('go'), ...toolRounds(5, 800)])
    const tokens = totalTokens(entries)
    expect(seqsOf(drop(inputOf(entries, { target: tokens - 1 }), { keepRounds: 1 }))).toEqual([[2, 3]])
    expect(seqsOf(drop(inputOf(entries, { target: 0 }), { keepRounds: 1 }))).toEqual([[2, 3, 4, 5, 6, 7, 8, 9]])
  })

  it('summaries go last', () => {
    const entries = windowOf([...turn('a'), ...turn('bb'), ...turn('ccc'), user('go on')])
    const once = applied(entries, summarise(inputOf(entries), { unit: 'range', keepLast: 9 }))
    const [fold] = once
    const [proposal] = drop(inputOf(once, { target: totalTokens(once) - 1 }), {})
    expect(proposal?.entries).not.toContain(fold)
    const [all] = drop(inputOf(once, { target: 0 }), {})
    expect(all?.entries).toContain(fold)
  })

  it('summaries stay where the window fits under its limit with them', () => {
    const entries = windowOf([...turn('a'), ...turn('bb'), ...turn('ccc'), user('go on')])
    const once = applied(entries, summarise(inputOf(entries), { unit: 'range' }))
    const limit = totalTokens(once)
    for (const mode of ['contiguous', 'skip'] as const) {
      expect(drop(inputOf(once, { target: 0, limit }), { mode })).toEqual([])
      expect(drop(inputOf(once, { target: 0, limit: limit - 1 }), { mode })).toHaveLength(1)
    }
  })

  it('one fold stands for all that was ever dropped', () => {
    const entries = windowOf([...turn('a'), ...turn('bb'), ...turn('ccc'), user('go on')])
    const once = applied(entries, drop(inputOf(entries, { target: totalTokens(entries) - 1 }), {}))
    const twice = applied(once, drop(inputOf(once, { target: totalTokens(once) - 1 }), {}))
    const folds = twice.filter((entry) => entry.type === 'fold')
    expect(folds).toHaveLength(1)
    expect(folds[0]?.fold).toMatchObject({ messages: 8, sources: [{ from: 1, through: 8 }] })
    expect(shownIn(twice)).toMatch(/^\[dropped 8 messages, [^\n]*, reopen fold-0\]$/m)
  })

  it('with `skip` it packs whole bundles from the newest backwards and skips what is too large', () => {
    const entries = windowOf([
      user('a'),
      assistant('small'),
      user('b'),
      call(['c', 'read', {}]),
      result('c', 'word '.repeat(2_000)),
      assistant('small too'),
      user('go on'),
    ])
    const [proposal] = drop(inputOf(entries, { target: 100 }), { mode: 'skip' })
    expect(seqsOf([proposal ?? never()])).toEqual([[4, 5]])
  })

  it('never splits a bundle, never touches what it may not, and ends under the target if anything can', () => {
    const shape = fc.array(fc.constantFrom('turn', 'tools', 'system', 'late'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(
        shape,
        fc.integer({ min: 0, max: 2_000 }),
        fc.constantFrom('contiguous', 'skip'),
        (kinds, target, mode) => {
          const entries = windowOf([...kinds.flatMap((kind, index) => draftsFor(kind, index)), user('go on')])
          const input = inputOf(entries, { target })
          const after = applied(entries, drop(input, { mode }))
          for (const [index, entry] of entries.entries())
            if (input.untouchable.has(index + 1)) expect(after).toContain(entry)
          expect(openOrOrphaned(after.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))).toEqual(
            [],
          )
          const least = totalTokens(entries.filter((_, index) => input.untouchable.has(index + 1)))
          const line = totalTokens(after.filter((entry) => entry.type === 'fold'))
          expect(totalTokens(after)).toBeLessThanOrEqual(Math.max(target, least + line))
        },
      ),
    )
  })
})

function draftsFor(kind: string, index: number): readonly Draft[] {
  if (kind === 'turn') return turn('x'.repeat(index + 20))
  if (kind === 'tools') return toolRounds(2, 300, index * 1_000)
  if (kind === 'system') return [say('system', 'note')]
  const [a, b] = [`a${index}`, `b${index}`]
  return [call([a, 'slow', {}], [b, 'fast', {}]), result(b, 'x'), user('meanwhile'), result(a, 'y')]
}

function openOrOrphaned(messages: readonly Draft[]): readonly string[] {
  const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])))
  const results = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId ?? ''] : [])),
  )
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))]
}

function never(): never {
  throw new Error('expected a proposal')
}
