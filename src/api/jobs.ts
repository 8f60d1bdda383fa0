import type { Job, JobState } from '../domain/job.ts'

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

/** The background work of a memory. A job that is done stays listed until a thousand newer ones are. */
export interface Jobs {
  /** Lists jobs, newest first. */
  list(options?: JobsOptions): Promise<readonly Job[]>
  /**
   * Makes a job due now: one that failed, was cancelled or waits for its next attempt.
   *
   * @throws {MemoryError} `jobs/not-found`; `jobs/conflict` if it runs or is done.
   */
  retry(id: string): Promise<Job>
  /**
   * Cancels a job that is not done. What it stored so far stays; learning continues with the next message of the session.
   *
   * @throws {MemoryError} `jobs/not-found`; `jobs/conflict` if it is done.
   */
  cancel(id: string): Promise<Job>
}
