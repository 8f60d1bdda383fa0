import { type Entry, totalTokens } from '../../../src/context/entry.ts'
import type { Policy, StageStep } from '../../../src/context/policy.ts'
import { countEntries } from '../../../src/context/region.ts'
import type { Proposal, StageInput } from '../../../src/context/stage.ts'
import { drop } from '../../../src/context/stages/drop.ts'
import { merge } from '../../../src/context/stages/merge.ts'
import { offload } from '../../../src/context/stages/offload.ts'
import { summarise } from '../../../src/context/stages/summarise.ts'
import { truncateResults } from '../../../src/context/stages/truncate-results.ts'
import { applied, inputOf } from './window.ts'

export function runStep(input: StageInput, step: StageStep): readonly Proposal[] {
  switch (step.stage) {
    case 'offload':
      return offload(input, step)
    case 'merge':
      return merge(input, step)
    case 'truncate-results':
      return truncateResults(input, step)
    case 'summarise':
      return summarise(input, step)
    case 'drop':
      return drop(input, step)
  }
}

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
    const proposals = runStep(inputOf(window, { target }), step)
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
