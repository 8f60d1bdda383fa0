import type { DropOptions } from '../stages/drop.ts'
import type { MergeOptions } from '../stages/merge.ts'
import type { OffloadOptions } from '../stages/offload.ts'
import type { SummariseOptions } from '../stages/summarise.ts'
import type { TruncateResultsOptions } from '../stages/truncate-results.ts'

/** A number of tokens, or a share of the budget. */
export type Mark = { readonly tokens: number } | { readonly ratio: number }

export type StageStep =
  | ({ readonly stage: 'offload' } & OffloadOptions)
  | ({ readonly stage: 'merge' } & MergeOptions)
  | ({ readonly stage: 'truncate-results' } & TruncateResultsOptions)
  | ({ readonly stage: 'summarise' } & SummariseOptions)
  | ({ readonly stage: 'drop' } & DropOptions)

/** How large a window may be. */
export interface Bounds {
  readonly mark?: Mark
  /** Messages, whole or shortened, and records of tool work. Summaries and what was dropped do not count (`countEntries`). */
  readonly entries?: number
}

/** When to compact, how far, and by which stages in which order. */
export interface Policy {
  readonly name: string
  /** Compaction begins when the window has passed one of these; without any, never by itself. */
  readonly high: Bounds & {
    /** Begins already when one is reached, as AgentScope does. @default false: when it is passed */
    readonly reached?: boolean
  }
  /** It ends when the window is within all of these; without any, after the last step. */
  readonly low: Bounds
  readonly steps: readonly StageStep[]
  /**
   * Whether later steps run once one has changed something.
   *
   * - `until-low`: until the low mark is reached
   * - `first-change`: one changing step a time, as AgentScope does it
   */
  readonly advance: 'until-low' | 'first-change'
}
