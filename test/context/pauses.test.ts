import { describe, expect, it } from 'vitest'
import type { StageStep } from '../../src/api/policy.ts'
import { proposeFolds } from '../../src/context/stages/propose.ts'
import { findUnits, unitsOf } from '../../src/context/window/unit.ts'
import { atOnce, withPauses } from '../../src/log/with-pauses.ts'
import { assistant, call, inputOf, result, user, windowOf } from './stages/window.ts'

const LONG = 'Order 7731 was late on 3 March, so we decided to refund 40 EUR. '.repeat(400)
const steps: readonly StageStep[] = [
  { stage: 'offload' },
  { stage: 'merge', runOver: 1, tokensMin: 0 },
  { stage: 'truncate-results', charactersMax: 1_000 },
  { stage: 'summarise', unit: 'round' },
  { stage: 'summarise', unit: 'range' },
]

describe('[walls-244] what a compaction proposes for long messages', () => {
  const rounds = Array.from({ length: 8 }, (_, nth) => [
    user(LONG),
    call([`c${nth}`, 'search', { nth }]),
    result(`c${nth}`, LONG),
    assistant(LONG),
  ])
    .flat()
    .map((draft) => ({ ...draft, tokens: 6_000 }))
  const input = inputOf(windowOf([...rounds, user('go on')]), { target: 100 })

  it.each(steps)('pauses within each stage: $stage $unit', (step) => {
    let pauses = 0
    const work = proposeFolds(step, input)
    let next = work.next()
    for (; next.done !== true; next = work.next()) pauses += 1
    expect(pauses).toBeGreaterThanOrEqual(8)
    expect(next.value.length).toBeGreaterThan(0)
  })

  it('is the same with and without pauses', async () => {
    for (const step of steps)
      expect(await withPauses(proposeFolds(step, input))).toEqual(atOnce(proposeFolds(step, input)))
  })
})

describe('[walls-291] the units of a window of many messages', () => {
  const turn = [user('Is it late?'), call(['c', 'search', {}]), result('c', 'yes'), assistant('Yes.')]
  const { entries } = inputOf(windowOf(Array.from({ length: 10_000 }, () => turn).flat()))

  it('are found while others run, and are the same', async () => {
    let turns = 0
    let on = true
    const others = (): void => {
      turns += 1
      if (on) setImmediate(others)
    }
    setImmediate(others)
    await findUnits(entries)
    on = false
    expect(turns).toBeGreaterThan(1)
    // The ids of calls repeat, so each result belongs to the call before it.
    expect(unitsOf(entries)).toHaveLength(30_000)
    expect(unitsOf([...entries])).toEqual(unitsOf(entries))
    expect(unitsOf(entries)).toBe(unitsOf(entries))
  })
})
