import type { TranscriptPath } from './violation.ts'

export type RepairAction = 'dropped' | 'moved' | 'merged' | 'synthesised' | 'rewrote' | 'renamed'

/** One thing that `repair` did, and the rule that asked for it. */
export interface RepairChange {
  readonly rule: string
  /** Points into the transcript as it was before the repair; empty where nothing stood there. */
  readonly path: TranscriptPath
  readonly action: RepairAction
  readonly message: string
}
