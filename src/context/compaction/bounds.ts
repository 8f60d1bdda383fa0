import { type Entry, totalTokens } from '../window/entry.ts'
import type { Bounds, Mark, Policy } from '../../api/policy.ts'
import { countEntries } from './region.ts'

/** A mark in tokens; never above the budget, which no window may pass whatever its policy was made for. */
export function markTokens(mark: Mark, budget: number): number {
  return 'tokens' in mark ? Math.min(mark.tokens, budget) : Math.floor(mark.ratio * budget)
}

/** How large a window is, as bounds measure it. */
export interface Size {
  readonly tokens: number
  readonly entries: number
}

export function sizeOf(entries: readonly Entry[]): Size {
  return { tokens: totalTokens(entries), entries: countEntries(entries) }
}

/** Whether a window is small enough. Without any bound it never is: every step then has its turn. */
export function isWithin(bounds: Bounds, { tokens, entries }: Size, budget: number): boolean {
  if (bounds.mark === undefined && bounds.entries === undefined) return false
  return withinMark(bounds, tokens, budget, false) && withinCount(bounds, entries, false)
}

/** Whether a window is large enough for its policy to begin. */
export function isOver({ high }: Policy, entries: readonly Entry[], budget: number): boolean {
  const reached = high.reached === true
  return !withinMark(high, totalTokens(entries), budget, reached) || !withinCount(high, countEntries(entries), reached)
}

function withinMark({ mark }: Bounds, tokens: number, budget: number, reached: boolean): boolean {
  if (mark === undefined) return true
  return reached ? tokens < markTokens(mark, budget) : tokens <= markTokens(mark, budget)
}

function withinCount({ entries }: Bounds, count: number, reached: boolean): boolean {
  if (entries === undefined) return true
  return reached ? count < entries : count <= entries
}
