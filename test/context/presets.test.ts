import { aPolicy } from '../../src/surface/policy-shapes.ts'
import { describe, expect, it } from 'vitest'

import type { Draft } from '../../src/domain/message.ts'
import { type Entry, totalTokens } from '../../src/context/window/entry.ts'
import {
  autoContext,
  balanced,
  managed,
  policyOf,
  presets,
  recency,
  rolling,
} from '../../src/context/compaction/presets.ts'
import { countEntries } from '../../src/context/compaction/region.ts'
import { isOver, runPolicy } from './stages/steps.ts'
import { assistant, inputOf, say, shownIn, toolRounds, user, windowOf } from './stages/window.ts'

describe('[cmp-2] [cmp-3] [prove-3] presets, with the real defaults from the notes', () => {
  it('are five, found by name and by no other', () => {
    expect(Object.entries(presets).map(([name, policy]) => [name, policy.name])).toEqual(
      ['recency', 'autoContext', 'rolling', 'managed', 'balanced'].map((name) => [name, name]),
    )
    expect(policyOf('rolling')).toBe(rolling)
    for (const name of ['', 'Rolling', 'toString', '__proto__'])
      expect(() => aPolicy.check('compact', 'policy', name)).toThrow(
        /policy is .*, expected one of recency, autoContext/,
      )
  })

  it('recency: all system messages, then the newest that fit; nothing is compacted', () => {
    expect(recency).toEqual({ name: 'recency', high: {}, low: {}, steps: [], advance: 'until-low' })
  })

  it('autoContext: the six steps of AgentScope in order, with its numbers', () => {
    expect(autoContext).toMatchObject({
      high: { mark: { tokens: 98_304 }, entries: 100, reached: true },
      advance: 'first-change',
      steps: [
        { stage: 'merge', where: 'before-answer', keepLast: 50, runOver: 6, tokensMin: 5_000, runsMax: 5 },
        { stage: 'offload', where: 'before-answer', keepLast: 50, overCharacters: 5_120, previewCharacters: 200 },
        { stage: 'offload', where: 'before-answer', overCharacters: 5_120, previewCharacters: 200 },
        { stage: 'summarise', unit: 'round', where: 'before-newest-user', keepUser: true, tokensMin: 5_000 },
        { stage: 'offload', where: 'current-round', overCharacters: 5_120, retell: true },
        { stage: 'summarise', unit: 'range', where: 'current-round', ratio: 0.3 },
      ],
    })
    expect(autoContext.steps[2]).not.toHaveProperty('keepLast')
  })

  it('rolling: 50 entries or 100,000 tokens, keep 30', () => {
    expect(rolling).toMatchObject({
      high: { mark: { tokens: 100_000 }, entries: 50 },
      advance: 'until-low',
      steps: [{ unit: 'folds' }, { unit: 'range', entriesOver: 50, keepLast: 30 }, { unit: 'range', take: 'half' }],
    })
  })

  it('managed: threshold 150,000, target 90,000', () => {
    expect(managed).toMatchObject({
      high: { mark: { tokens: 150_000 } },
      low: { mark: { tokens: 90_000 } },
      steps: [
        { stage: 'truncate-results', tokensMax: 1_200, keepRounds: 1, savesMin: 60_000 },
        { stage: 'summarise', unit: 'range', tokensMax: 6_000, keepRounds: 1, savesMin: 60_000 },
        { stage: 'drop', mode: 'skip', keepRounds: 1 },
      ],
    })
  })

  it('balanced: from 80 % of the budget down to 50 %, cheapest first', () => {
    expect(balanced).toMatchObject({
      high: { mark: { ratio: 0.8 } },
      low: { mark: { ratio: 0.5 } },
      advance: 'until-low',
    })
    expect(
      balanced.steps.map((step) => (step.stage === 'summarise' ? `${step.stage} ${step.unit}` : step.stage)),
    ).toEqual([
      'offload',
      'truncate-results',
      'merge',
      'summarise folds',
      'summarise round',
      'summarise range',
      'summarise folds',
      'summarise range',
      'drop',
    ])
  })
})

describe('[prove-3] rolling on a window', () => {
  const chat = (n: number, tokens: number): readonly Entry[] =>
    windowOf(
      Array.from({ length: n }, (_, index) => ({
        ...say(index % 2 === 0 ? 'user' : 'assistant', `Message ${index + 1} of the conversation`),
        tokens,
      })),
    )

  it('50 entries stay, of 51 the newest 30 stay, of 53 as well', () => {
    expect(runPolicy(rolling, chat(50, 20), 1).steps).toEqual([])
    for (const n of [51, 53]) {
      const { entries, steps } = runPolicy(rolling, chat(n, 20), 1)
      expect(steps).toEqual([2])
      expect(entries.map(({ type }) => type)).toEqual(['fold', ...Array.from({ length: 30 }, () => 'message')])
    }
  })

  it('100,000 tokens stay, of 100,001 the newer half stays', () => {
    const entries = chat(40, 2_500)
    expect(isOver(rolling, entries, 1)).toBe(false)
    const one = [
      ...entries.slice(0, -1),
      ...windowOf(Array.from({ length: 40 }, () => ({ ...user('last'), tokens: 2_501 }))).slice(-1),
    ]
    const { entries: after, steps } = runPolicy(rolling, one, 1)
    expect(steps).toEqual([3])
    expect(countEntries(after)).toBe(20)
  })

  it('the second step runs only if the first was not enough, and then on what the first left', () => {
    const { entries, steps } = runPolicy(rolling, chat(60, 5_000), 1)
    expect(steps).toEqual([2, 3])
    expect(countEntries(entries)).toBe(15)
  })

  it('[cmp-15] summaries have a budget: after a hundred compactions the window is no larger than after ten', () => {
    let window: readonly Entry[] = []
    const sizes: number[] = []
    for (let time = 0; time < 100; time++) {
      const from = time * 21
      const added = windowOf(
        Array.from({ length: from + 21 }, (_, index) =>
          say(
            index % 2 === 0 ? 'user' : 'assistant',
            `Message ${index + 1} says that the value ${index * 7} ms was measured in the room ${index}`,
          ),
        ),
      ).slice(from)
      window = runPolicy(rolling, [...window, ...added], 1).entries.map((entry) =>
        entry.type === 'fold' && !entry.fold.id.includes('/')
          ? { type: 'fold', fold: { ...entry.fold, id: `${entry.fold.id}/${time}` } }
          : entry,
      )
      sizes.push(totalTokens(window))
    }
    expect(Math.max(...sizes)).toBeLessThan(12_000)
  })
})

describe('[prove-3] managed on a window', () => {
  it('cuts results if that saves 40 % of the threshold, and is done if that reaches the target', () => {
    const entries = windowOf([user('q'), ...toolRounds(40, 20_000), assistant('ok'), user('go on')])
    const { entries: after, steps } = runPolicy(managed, entries, 1)
    expect(steps).toEqual([1])
    expect(totalTokens(after)).toBeLessThan(90_000)
  })

  it('summarises where results are not the reason', () => {
    const talk = Array.from({ length: 60 }, (_, index) => [
      user(`question ${index}`),
      assistant(`This is answer ${index}, at length. `.repeat(450)),
    ]).flat()
    const { entries: after, steps } = runPolicy(managed, windowOf([...talk, user('go on')]), 1)
    expect(steps).toEqual([2])
    expect(after.map(({ type }) => type)).toEqual(['fold', 'message', 'message'])
    expect(shownIn(after.slice(0, 1)).match(/^\[summary of 119 messages/gm)).toHaveLength(2)
  })

  it('estimates, skips what saves too little, and packs as the last resort', () => {
    const entries = windowOf([
      { ...user('q'), tokens: 80_000 },
      { ...assistant('a'), tokens: 30_000 },
      { ...user('r'), tokens: 20_000 },
      { ...assistant('b'), tokens: 10_000 },
      { ...user('go on'), tokens: 20_000 },
    ])
    const packed = runPolicy({ ...managed, steps: managed.steps.slice(2) }, entries, 1)
    expect(packed.entries.map((entry) => (entry.type === 'message' ? entry.message.seq : entry.fold.kind))).toEqual([
      'drop',
      2,
      3,
      4,
      5,
    ])
    expect(totalTokens(packed.entries)).toBeLessThanOrEqual(90_000)
  })
})

describe('[prove-3] balanced on a window', () => {
  const sessions: readonly (readonly [string, readonly Draft[]])[] = [
    ['one request and two hundred tool rounds', [user('build it in /srv/app, ticket OPS-42'), ...toolRounds(200, 900)]],
    [
      'a chat of short messages',
      Array.from({ length: 600 }, (_, index) =>
        say(index % 2 === 0 ? 'user' : 'assistant', `Short message ${index} about topic ${index % 17}`),
      ),
    ],
    [
      'rounds with tools',
      Array.from({ length: 60 }, (_, index) => [
        user(`request ${index}`),
        ...toolRounds(3, 700, index * 3),
        assistant(`Finished request ${index}. `.repeat(30)),
      ]).flat(),
    ],
    [
      'a huge paste',
      [
        user('look at this'),
        assistant('ok'),
        user(`log line\n`.repeat(9_000)),
        assistant('I see'),
        user('and?'),
        assistant('fine'),
      ],
    ],
    [
      'CJK',
      Array.from({ length: 200 }, (_, index) => [
        user(`请检查第${index}号服务器的状态，错误代码是 ERR-${index}。`),
        assistant('服务器运行正常，没有发现问题。'.repeat(6)),
      ]).flat(),
    ],
  ]

  for (const [name, drafts] of sessions) {
    it(`${name}: ends under the low mark at budgets of 4,000, 8,000 and 32,000`, () => {
      for (const budget of [4_000, 8_000, 32_000]) {
        const entries = windowOf([say('system', 'You are helpful.'), ...drafts, user('go on')])
        const { entries: after, steps } = runPolicy(balanced, entries, budget)
        if (totalTokens(entries) <= budget * 0.8) expect(steps).toEqual([])
        else expect(totalTokens(after)).toBeLessThanOrEqual(budget * 0.5)
      }
    })
  }

  it('keeps the requests word for word while that is enough', () => {
    const [, rounds] = sessions[2] ?? ['', []]
    const entries = windowOf([...rounds, user('go on')])
    const { entries: after } = runPolicy(balanced, entries, 32_000)
    const shown = shownIn(after)
    for (const index of [0, 20, 40, 59]) expect(shown).toContain(`request ${index}`)
  })

  it('the same window gives the same folds', () => {
    const entries = windowOf([...(sessions[2]?.[1] ?? []), user('go on')])
    const [once, again] = [runPolicy(balanced, entries, 8_000), runPolicy(balanced, entries, 8_000)]
    expect(JSON.stringify(once)).toBe(JSON.stringify(again))
  })

  it('at its fixed point it has nothing left to do', () => {
    for (const [, drafts] of sessions) {
      const { entries } = runPolicy(balanced, windowOf([...drafts, user('go on')]), 8_000)
      expect(runPolicy(balanced, entries, 8_000).steps).toEqual([])
      expect(inputOf(entries).tokens).toBeLessThanOrEqual(4_000)
    }
  })
})
