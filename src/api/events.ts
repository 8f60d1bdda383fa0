import type { Job } from '../domain/job.ts'
import type { CompactOutcome } from './contexts.ts'

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
      /** With the steps that ran, what each folded, why others were skipped, and why a model's summary was not used. */
      readonly outcome: CompactOutcome
    })
  | {
      /** A context named a model that is in no table. Said once for each name. */
      readonly type: 'unknown-model'
      readonly model: string
      /** What was assumed about it, in words. */
      readonly assumed: string
    }
  | (CompactionNamed & {
      readonly type: 'compaction-fail'
      readonly ms: number
      readonly error: unknown
    })

/** What background work reports. */
export type JobEvent =
  | { readonly type: 'job-end'; readonly job: Job }
  | {
      /** An attempt failed; `job.state` says whether another one follows. */
      readonly type: 'job-fail'
      readonly job: Job
      readonly error: unknown
    }
  | {
      /** As many jobs of the kind wait as may. */
      readonly type: 'jobs-full'
      readonly kind: string
      readonly max: number
    }

/** What a memory does in the background, for `onEvent`. */
export type MemoryEvent =
  | JobEvent
  | ContextEvent
  | {
      /** A question was not embedded: only words were searched for. */
      readonly type: 'embed-fail'
      readonly embedder: string
      readonly reason: string
      readonly detail: string
    }
  | {
      /** The database's server or role has a dangerous setting, or one that the caller accepted. */
      readonly type: 'store-warning'
      readonly danger: string
      readonly message: string
    }
  | { readonly type: 'recall-fail'; readonly scope: string; readonly session: string; readonly error: unknown }

/** Takes events. */
export type Emit = (event: MemoryEvent) => void
