import type { Job } from '../domain/job.ts'

/** What background work did and somebody may want to see. */
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
