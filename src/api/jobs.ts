import type { JobState } from '../domain/job.ts'

/** Which jobs to list. */
export interface JobsOptions {
  /** Only jobs of this scope. */
  readonly scope?: string
  /** Only jobs of this kind, for example `learn`. */
  readonly kind?: string
  /** Only jobs in this state. */
  readonly state?: JobState
  /** At most this many jobs, up to 1,000. @default 100 */
  readonly limit?: number
  /** The id of the last job of the page before. */
  readonly after?: string
}

/** What is left when no background work is due. */
export interface Settled {
  /** Jobs that wait for their next attempt. */
  readonly waiting: number
  /** Jobs that failed and wait for a person. */
  readonly failed: number
}
