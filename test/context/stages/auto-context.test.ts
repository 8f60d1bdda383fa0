import { describe, expect, it } from 'vitest'

import type { Draft } from '../../../src/domain/message.ts'
import type { ToolResultPart } from '../../../src/domain/part.ts'
import { type Entry, totalTokens } from '../../../src/context/window/entry.ts'
import { presets } from '../../../src/context/compaction/presets.ts'
import type { ProposedFold } from '../../../src/context/compaction/stage.ts'
import { proposeFolds } from './at-once.ts'
import { runPolicy } from './steps.ts'
import { assistant, call, inputOf, resultPart, seqsOf, textOf, toolRounds, user, windowOf } from './window.ts'

const { autoContext } = presets

const LARGE = 'A long paragraph about nothing in particular, again. '.repeat(120)
const filler = (n: number): readonly Draft[] =>
  Array.from({ length: n }, (_, index) => (index % 2 === 0 ? user(`and ${index}?`) : assistant(`yes, ${index}`)))

/** Step n of the six on a window. */
function step(n: number, entries: readonly Entry[], untouchable?: ReadonlySet<number>): readonly ProposedFold[] {
  const found = autoContext.steps[n - 1]
  if (found === undefined) throw new Error(`expected step ${n}`)
  return proposeFolds(found, inputOf(entries, untouchable === undefined ? {} : { untouchable }))
}

describe('[prove-3] auto-context, step 1: runs of tool messages before the newest final reply and outside of last-keep', () => {
  it('merges a run of more than six messages and at least 5,000 tokens', () => {
    const entries = windowOf([user('q'), ...toolRounds(10, 3_000), assistant('found it'), ...filler(50), user('go on')])
    expect(totalTokens(entries.slice(1, 21))).toBeGreaterThan(5_000)
    const proposals = step(1, entries)
    expect(proposals).toHaveLength(1)
    expect(proposals[0]?.entries).toHaveLength(20)
  })

  it('keeps the last 50 as they are', () => {
    const entries = windowOf([user('q'), ...toolRounds(10, 3_000), assistant('found it'), ...filler(39), user('go on')])
    // 62 entries: the first 12 are out of last-keep, which holds the request and five bundles and a half.
    expect(step(1, entries)[0]?.entries).toHaveLength(10)
  })

  it('the token gate skips, and the next step gets its turn', () => {
    const entries = windowOf([user('q'), ...toolRounds(10, 300), assistant(LARGE), ...filler(100), user('go on')])
    expect(step(1, entries)).toEqual([])
    expect(step(2, entries)).toHaveLength(1)
  })

  it('takes no run of exactly six', () => {
    expect(
      step(1, windowOf([user('q'), ...toolRounds(3, 9_000), assistant('ok'), ...filler(50), user('go on')])),
    ).toEqual([])
  })
})

describe('[prove-3] auto-context, steps 2 and 3: large messages before the newest final reply', () => {
  const entries = windowOf([
    user(LARGE),
    assistant('ok'),
    ...filler(60),
    user('q'),
    assistant(LARGE),
    user('r'),
    assistant('final'),
    user('go on'),
  ])

  it('last-keep is honoured in 2, not in 3', () => {
    expect(seqsOf(step(2, entries))).toEqual([[1]])
    expect(seqsOf(step(3, entries))).toEqual([[1], [64]])
  })

  it('3 works with fewer messages than last-keep', () => {
    const few = windowOf([user('q'), assistant(LARGE), user('r'), assistant('final'), user('go on')])
    expect(step(2, few)).toEqual([])
    expect(seqsOf(step(3, few))).toEqual([[2]])
  })

  it('role and name stay, the text is a preview of 200 characters with the marker', () => {
    const few = windowOf([
      { ...user(LARGE), name: 'ada' },
      assistant('ok'),
      user('r'),
      assistant('final'),
      user('go on'),
    ])
    const [proposal] = step(3, few)
    expect(proposal?.standIn[0]).toMatchObject({ role: 'user', name: 'ada' })
    expect(textOf(proposal?.standIn).length).toBeLessThan(400)
  })

  it('without a final answer there is nothing before it', () => {
    expect(step(3, windowOf([user(LARGE), user('go on')]))).toEqual([])
  })

  it('several results per message are all kept', () => {
    const results: Draft = {
      role: 'tool',
      parts: [resultPart('a', LARGE, { name: 'x' }), resultPart('b', LARGE, { name: 'y' })],
    }
    const few = windowOf([user('q'), call(['a', 'x', {}], ['b', 'y', {}]), results, assistant('final'), user('go on')])
    const parts = step(3, few)[0]?.standIn[0]?.parts as readonly ToolResultPart[]
    expect(parts.map(({ callId, name }) => `${callId} ${name}`)).toEqual(['a x', 'b y'])
  })
})

describe('[prove-3] auto-context, step 4: earlier rounds that have something in between', () => {
  it('keeps the user message and tells the rest in one, from 5,000 tokens on', () => {
    const entries = windowOf([
      user('big'),
      ...toolRounds(8, 4_000),
      assistant('answer one'),
      user('small'),
      ...toolRounds(2, 300, 20),
      assistant('answer two'),
      user('plain'),
      assistant(LARGE.repeat(6)),
      user('go on'),
    ])
    const proposals = step(4, entries)
    expect(seqsOf(proposals)).toEqual([Array.from({ length: 17 }, (_, index) => index + 2)])
    expect(proposals[0]?.prompt?.name).toBe('summarise-round')
    expect(textOf(proposals[0]?.standIn)).toContain('answer one')
  })
})

describe('[prove-3] auto-context, step 5: large messages after the newest user message', () => {
  it('keeps structure and lets a model write the short form', () => {
    const entries = windowOf([
      user('q'),
      assistant(LARGE),
      user('now'),
      call(['c', 'read', {}]),
      { role: 'tool', parts: [resultPart('c', LARGE, { name: 'read' })] },
      assistant('thinking'),
      ...toolRounds(1, 10),
    ])
    const proposals = step(5, entries)
    expect(seqsOf(proposals)).toEqual([[5]])
    expect(proposals[0]).toMatchObject({ prompt: { name: 'shorten-payload' } })
    expect(proposals[0]?.standIn[0]?.parts[0]).toMatchObject({ type: 'tool-result', callId: 'c', name: 'read' })
  })

  it('never touches results that the model has not answered', () => {
    const entries = windowOf([user('now'), call(['c', 'read', {}]), { role: 'tool', parts: [resultPart('c', LARGE)] }])
    expect(step(5, entries, new Set([1, 2, 3]))).toEqual([])
    expect(step(6, entries, new Set([1, 2, 3]))).toEqual([])
  })
})

describe('[prove-3] auto-context, step 6: everything after the newest user message', () => {
  it('is told in one message of about three tenths, with the dangling call left out', () => {
    const entries = windowOf([
      user('q'),
      assistant('a'),
      user('now'),
      ...toolRounds(10, 1_500),
      call(['open', 'slow', {}]),
    ])
    const proposals = step(6, entries)
    expect(seqsOf(proposals)).toEqual([Array.from({ length: 20 }, (_, index) => index + 4)])
    expect(proposals[0]?.prompt).toEqual({
      name: 'summarise-current',
      tokensMax: Math.ceil(totalTokens(entries.slice(3, 23)) * 0.3),
    })
  })

  it('is not counted as a final answer', () => {
    const entries = windowOf([user(LARGE), user('now'), ...toolRounds(10, 1_500)])
    const { entries: after, steps } = runPolicy(
      { ...autoContext, high: { entries: 1 }, steps: autoContext.steps.slice(5) },
      entries,
      1_000,
    )
    expect(steps).toEqual([1])
    expect(step(3, after)).toEqual([])
  })

  it('an earlier summary of the current round goes along in the next: there is one', () => {
    const entries = windowOf([user('now'), ...toolRounds(10, 1_500)])
    const one = { ...autoContext, high: { entries: 1 }, steps: autoContext.steps.slice(5) }
    const { entries: after } = runPolicy(one, entries, 1_000)
    expect(after).toHaveLength(2)
    const more = [
      ...after,
      ...windowOf([...Array.from({ length: 30 }, () => user('')), ...toolRounds(10, 1_500, 50)]).slice(30),
    ]
    expect(runPolicy(one, more, 1_000).entries).toHaveLength(2)
    expect(runPolicy(one, after, 1_000).steps).toEqual([])
  })
})

describe('[prove-3] [contexts-81] auto-context: the six steps in order', () => {
  /** Something for every step. */
  const all = windowOf([
    user('first'),
    ...toolRounds(8, 4_000),
    assistant('one'),
    user('second'),
    assistant(LARGE),
    ...filler(70),
    user('third'),
    ...toolRounds(8, 4_000, 20),
    assistant(LARGE),
    user('fourth'),
    assistant('four'),
    user('now'),
    ...toolRounds(3, 9_000, 40),
  ])

  it('cheapest first, and stops after the first that changed something', () => {
    let entries = all
    const order: number[] = []
    for (let time = 0; time < 8; time++) {
      const ran = runPolicy({ ...autoContext, high: { entries: 1 } }, entries, 1)
      order.push(...ran.steps)
      entries = ran.entries
    }
    expect(order).toEqual([1, 2, 3, 4, 5, 6])
    expect(totalTokens(entries)).toBeLessThan(totalTokens(all) / 4)
  })

  it('fires at exactly 100 messages or 98,304 tokens, and not below', () => {
    const at = (n: number): readonly number[] =>
      runPolicy(autoContext, windowOf([user('q'), ...toolRounds(6, 4_000), ...filler(n - 13)]), 1).steps
    expect(at(99)).toEqual([])
    expect(at(100)).not.toEqual([])
    const tokens = (n: number): readonly number[] =>
      runPolicy(
        autoContext,
        windowOf(
          [{ ...assistant(LARGE), tokens: n }, assistant('final'), { ...user('go on'), tokens: 1 }].map(
            (draft, index) => (index === 1 ? { ...draft, tokens: 1 } : draft),
          ),
        ),
        1,
      ).steps
    expect(tokens(98_301)).toEqual([])
    expect(tokens(98_302)).toEqual([3])
  })
})
