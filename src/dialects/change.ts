import type { Path } from './violation.ts'

export type Action = 'dropped' | 'moved' | 'merged' | 'synthesised' | 'rewrote' | 'renamed'

/** One thing that `repair` did, and the rule that asked for it. */
export interface Change {
  readonly rule: string
  /** Points into the transcript as it was before the repair; empty where nothing stood there. */
  readonly path: Path
  readonly action: Action
  readonly message: string
}
