import { describe, expect, it } from 'vitest'
import type { VectorSet } from '../../../src/ports/vector-store.ts'
import { servingSet } from '../../../src/recall/vectors/serving-set.ts'

const set = (model: string, rank: number, complete: boolean, last: number): VectorSet => ({
  key: rank,
  scope: 'a',
  generation: { key: rank, model, dimensions: 3, rank },
  through: last,
  last,
  removals: 0,
  complete,
})

describe('[recall-9] the set that answers', () => {
  const old = set('old', 1, true, 10)
  const half = set('new', 2, false, 5)
  const whole = set('new', 2, true, 10)

  it.each([
    ['the old one while the new one is not complete', [old, half], ['new', 'old'], old],
    ['the new one as soon as it is complete', [old, whole], ['new', 'old'], whole],
    ['what there is of the new one when nobody can ask the old one', [old, half], ['new'], half],
    ['the fuller one while none is complete', [set('old', 1, false, 9), half], ['new', 'old'], set('old', 1, false, 9)],
    ['none when nobody can ask any', [old, whole], ['other'], undefined],
    ['none that is empty', [set('new', 2, false, 0)], ['new'], undefined],
  ] as const)('is %s', (_, sets, models, wanted) => {
    expect(servingSet(sets, new Set<string>(models))).toEqual(wanted)
    expect(servingSet(sets.toReversed(), new Set<string>(models))).toEqual(wanted)
  })
})
