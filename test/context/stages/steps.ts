import { type Entry, totalTokens } from '../../../src/context/window/entry.ts'
import type { Policy } from '../../../src/api/policy.ts'
import { countEntries } from '../../../src/context/compaction/region.ts'
import { proposeFolds } from './at-once.ts'
import { applied, inputOf } from './window.ts'

export interface Ran {
  readonly entries: readonly Entry[]
  /** Which steps changed something, from 1. */
  readonly steps: readonly number[]
}

/** A policy's steps on a window, as the runner would take them but for counting and models. Not below its marks. */
export function runPolicy(policy: Policy, entries: readonly Entry[], budget: number): Ran {
  const target = tokensOfMark(policy.low.mark, budget)
  let window = entries
  const steps: number[] = []
  if (!isOver(policy, window, budget)) return { entries: window, steps }
  for (const [index, step] of policy.steps.entries()) {
    if (
      policy.advance === 'until-low' &&
      totalTokens(window) <= target &&
      countEntries(window) <= (policy.low.entries ?? Infinity)
    )
      break
    const proposals = proposeFolds(step, inputOf(window, { target }))
    if (proposals.length === 0) continue
    window = unique(applied(window, proposals), index)
    steps.push(index + 1)
    if (policy.advance === 'first-change') break
  }
  return { entries: window, steps }
}

export function isOver({ high }: Policy, entries: readonly Entry[], budget: number): boolean {
  const over = (value: number, bound: number): boolean => value > bound || (high.reached === true && value === bound)
  return (
    over(totalTokens(entries), tokensOfMark(high.mark, budget)) || over(countEntries(entries), high.entries ?? Infinity)
  )
}

function tokensOfMark(mark: Policy['high']['mark'], budget: number): number {
  if (mark === undefined) return Infinity
  return 'tokens' in mark ? mark.tokens : Math.floor(mark.ratio * budget)
}

function unique(entries: readonly Entry[], step: number): readonly Entry[] {
  return entries.map((entry) =>
    entry.type === 'fold' && !entry.fold.id.includes('@')
      ? { type: 'fold', fold: { ...entry.fold, id: `${entry.fold.id}@${step}` } }
      : entry,
  )
}
