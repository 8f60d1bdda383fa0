import { aPolicy } from '../../src/surface/policy-shapes.ts'
import { describe, expect, it } from 'vitest'

import type { Draft } from '../../src/domain/message.ts'
import { type Entry, totalTokens } from '../../src/context/window/entry.ts'
import { policyOf, presets } from '../../src/context/compaction/presets.ts'
import { autoContext, balanced, managed, recency, rolling } from '../../src/index.ts'
import { countEntries } from '../../src/context/compaction/region.ts'
import { isOver, runPolicy } from './stages/steps.ts'
import { assistant, inputOf, say, shownIn, toolRounds, user, windowOf } from './stages/window.ts'

const made = { autoContext, balanced, managed, recency, rolling }

describe('[cmp-2] [cmp-3] [prove-3] [contexts-81] presets, with the real defaults from the notes', () => {
  it('are five, found by name and by no other', () => {
    expect(Object.entries(presets).map(([name, policy]) => [name, policy.name])).toEqual(
      ['recency', 'autoContext', 'rolling', 'managed', 'balanced'].map((name) => [name, name]),
    )
    expect(policyOf('rolling')).toBe(presets.rolling)
    for (const name of ['', 'Rolling', 'toString', '__proto__'])
      expect(() => aPolicy.check('compact', 'policy', name)).toThrow(
        /policy is .*, expected one of recency, autoContext/,
      )
  })

  it('recency: all system messages, then the newest that fit; nothing is compacted', () => {
    expect(presets.recency).toEqual({ name: 'recency', high: {}, low: {}, steps: [], advance: 'until-low' })
  })

  it('autoContext: the six steps of AgentScope in order, with its numbers', () => {
    expect(presets.autoContext).toMatchObject({
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
    expect(presets.autoContext.steps[2]).not.toHaveProperty('keepLast')
  })

  it('rolling: 50 entries or 100,000 tokens, keep 30', () => {
    expect(presets.rolling).toMatchObject({
      high: { mark: { tokens: 100_000 }, entries: 50 },
      advance: 'until-low',
      steps: [{ unit: 'folds' }, { unit: 'range', entriesOver: 50, keepLast: 30 }, { unit: 'range', take: 'half' }],
    })
  })

  it('managed: threshold 150,000, target 90,000', () => {
    expect(presets.managed).toMatchObject({
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
    expect(presets.balanced).toMatchObject({
      high: { mark: { ratio: 0.8 } },
      low: { mark: { ratio: 0.5 } },
      advance: 'until-low',
    })
    expect(
      presets.balanced.steps.map((step) => (step.stage === 'summarise' ? `${step.stage} ${step.unit}` : step.stage)),
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
    expect(runPolicy(presets.rolling, chat(50, 20), 1).steps).toEqual([])
    for (const n of [51, 53]) {
      const { entries, steps } = runPolicy(presets.rolling, chat(n, 20), 1)
      expect(steps).toEqual([2])
      expect(entries.map(({ type }) => type)).toEqual(['fold', ...Array.from({ length: 30 }, () => 'message')])
    }
  })

  it('100,000 tokens stay, of 100,001 the newer half stays', () => {
    const entries = chat(40, 2_500)
    expect(isOver(presets.rolling, entries, 1)).toBe(false)
    const one = [
      ...entries.slice(0, -1),
      ...windowOf(Array.from({ length: 40 }, () => ({ ...user('last'), tokens: 2_501 }))).slice(-1),
    ]
    const { entries: after, steps } = runPolicy(presets.rolling, one, 1)
    expect(steps).toEqual([3])
    expect(countEntries(after)).toBe(20)
  })

  it('the second step runs only if the first was not enough, and then on what the first left', () => {
    const { entries, steps } = runPolicy(presets.rolling, chat(60, 5_000), 1)
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
      window = runPolicy(presets.rolling, [...window, ...added], 1).entries.map((entry) =>
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
    const { entries: after, steps } = runPolicy(presets.managed, entries, 1)
    expect(steps).toEqual([1])
    expect(totalTokens(after)).toBeLessThan(90_000)
  })

  it('summarises where results are not the reason', () => {
    const talk = Array.from({ length: 60 }, (_, index) => [
      user(`question ${index}`),
      assistant(`This is answer ${index}, at length. `.repeat(450)),
    ]).flat()
    const { entries: after, steps } = runPolicy(presets.managed, windowOf([...talk, user('go on')]), 1)
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
    const packed = runPolicy({ ...presets.managed, steps: presets.managed.steps.slice(2) }, entries, 1)
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
        const { entries: after, steps } = runPolicy(presets.balanced, entries, budget)
        if (totalTokens(entries) <= budget * 0.8) expect(steps).toEqual([])
        else expect(totalTokens(after)).toBeLessThanOrEqual(budget * 0.5)
      }
    })
  }

  it('keeps the requests word for word while that is enough', () => {
    const [, rounds] = sessions[2] ?? ['', []]
    const entries = windowOf([...rounds, user('go on')])
    const { entries: after } = runPolicy(presets.balanced, entries, 32_000)
    const shown = shownIn(after)
    for (const index of [0, 20, 40, 59]) expect(shown).toContain(`request ${index}`)
  })

  it('the same window gives the same folds', () => {
    const entries = windowOf([...(sessions[2]?.[1] ?? []), user('go on')])
    const [once, again] = [runPolicy(presets.balanced, entries, 8_000), runPolicy(presets.balanced, entries, 8_000)]
    expect(JSON.stringify(once)).toBe(JSON.stringify(again))
  })

  it('at its fixed point it has nothing left to do', () => {
    for (const [, drafts] of sessions) {
      const { entries } = runPolicy(presets.balanced, windowOf([...drafts, user('go on')]), 8_000)
      expect(runPolicy(presets.balanced, entries, 8_000).steps).toEqual([])
      expect(inputOf(entries).tokens).toBeLessThanOrEqual(4_000)
    }
  })
})

describe('presets as functions', () => {
  it('[contexts-11] make the presets by default, and plain data that survives JSON', () => {
    for (const name of ['recency', 'autoContext', 'rolling', 'managed', 'balanced'] as const) {
      expect(made[name]()).toEqual(presets[name])
      expect(JSON.parse(JSON.stringify(made[name]()))).toEqual(presets[name])
      aPolicy.check('compact', 'policy', made[name]())
    }
  })

  it('[contexts-11] take numbers: those of the seed', () => {
    expect(made.autoContext({ messages: 30, ratio: 0.3, keepLast: 10 })).toMatchObject({
      high: { mark: { tokens: 39_321 }, entries: 30, reached: true },
      low: { mark: { tokens: 39_320 }, entries: 29 },
      steps: [{ stage: 'merge', keepLast: 10 }, { stage: 'offload', keepLast: 10 }, {}, {}, {}, { tokensMax: 39_321 }],
    })
    expect(made.rolling({ keep: 10, at: 20 })).toMatchObject({
      high: { entries: 20 },
      steps: [{}, { entriesOver: 20, keepLast: 10 }, {}],
    })
    expect(made.managed({ tokens: 1_000 })).toMatchObject({
      high: { mark: { tokens: 1_000 } },
      low: { mark: { tokens: 600 } },
    })
    expect(made.balanced({ high: 0.9, low: 0.7 })).toMatchObject({
      high: { mark: { ratio: 0.9 } },
      low: { mark: { ratio: 0.7 } },
    })
  })

  it('[contexts-11] refuse nonsense, and say what was meant', () => {
    expect(() => made.balanced({ high: 0.4, low: 0.5 })).toThrow(
      /low is 0.5, expected a share below high, which is 0.4/,
    )
    expect(() => made.rolling({ keep: 60 })).toThrow(/keep is 60, expected fewer than the 50 entries/)
    expect(() => made.autoContext({ ratio: 3 })).toThrow(/ratio is 3, expected a share/)
    expect(() => made.managed({ token: 1 } as object)).toThrow(/unknown number "token", did you mean "tokens"/)
    expect(() => made.balanced({ high: Number.NaN })).toThrow(/expected a share/)
  })
})
