import type { CompactOutcome } from '../api/contexts.ts'

interface CompactionNamed {
  readonly scope: string
  readonly session: string
  readonly policy: string
}

/** What contexts and compactions report while they work. */
export type ContextEvent =
  | (CompactionNamed & {
      readonly type: 'compaction-start'
      readonly reason: 'context' | 'shrink' | 'by-hand'
    })
  | (CompactionNamed & {
      readonly type: 'compaction-end'
      readonly ms: number
      /** With the steps that ran, what each folded, why others were skipped, and why a model's words were not used. */
      readonly outcome: CompactOutcome
    })
  | (CompactionNamed & {
      readonly type: 'compaction-fail'
      readonly ms: number
      readonly error: unknown
    })
