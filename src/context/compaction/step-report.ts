import type { ModelUsage } from '../../ports/language-model.ts'

/** What one step of a compaction did, or why it did nothing. */
export interface StepReport {
  readonly stage: string
  readonly folds: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Missing when the step folded something. */
  readonly skipped?: 'under-target' | 'nothing-to-do' | 'already-changed' | 'all-refused'
  /** Proposals that were not smaller than what they would hide, or touched what they must not. */
  readonly refused: number
  /** Calls of a model, and why its words were not used where they were not. */
  readonly modelCalls: number
  readonly modelFailures: readonly string[]
  /** What those calls cost, as far as the provider said. */
  readonly modelUsage?: ModelUsage
}
