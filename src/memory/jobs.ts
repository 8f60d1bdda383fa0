import { checkOptions } from '../domain/check-options.ts'
import { type Job, type JobState, jobStates } from '../domain/job.ts'
import { checkId, checkScope } from '../domain/names.ts'
import { refuse } from '../domain/refuse.ts'
import { cancelJob, retryJob } from '../jobs/by-hand.ts'
import { jobFromRow } from '../jobs/job-from-row.ts'
import { checkCount } from './check-arguments.ts'
import type { Wiring } from './wiring.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

export interface JobsOptions {
  readonly scope?: string
  readonly kind?: string
  readonly state?: JobState
  /**
   * How many at most, up to 1,000.
   *
   * @default 100
   */
  readonly limit?: number
  /** Those before the job of this id: the last one of an earlier page. */
  readonly after?: string
}

/** What is left when nothing is due: jobs that wait for their next attempt, and jobs that wait for a person. */
export interface Settled {
  readonly waiting: number
  readonly failed: number
}

/** The background work of a memory: learning. Jobs that are done stay listed until a thousand newer ones are. */
export type Jobs = Pick<LocalJobs, keyof LocalJobs>

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalJobs {
  readonly #parts: Wiring

  /** @internal Use `memory.jobs`. */
  constructor(parts: Wiring) {
    this.#parts = parts
  }

  /** Newest first. */
  async list(options: JobsOptions = {}): Promise<readonly Job[]> {
    checkOptions('list jobs', options, ['scope', 'kind', 'state', 'limit', 'after'])
    const { scope, kind, state, limit = LIMIT_DEFAULT, after } = options
    checkCount('list jobs', 'limit', limit)
    if (scope !== undefined) checkScope('list jobs', scope)
    if (kind !== undefined) checkId('list jobs', 'kind', kind)
    if (after !== undefined) checkId('list jobs', 'after', after)
    if (state !== undefined && !jobStates.includes(state)) refuse('list jobs', 'state', state, jobStates.join(', '))
    this.#parts.work.checkOpen()
    const rows = await this.#parts.store.jobs.list({ ...options, limit: Math.min(limit, LIMIT_MAX) })
    return rows.map(jobFromRow)
  }

  /**
   * Makes a job due now: one that failed, was cancelled or waits for its next attempt.
   *
   * @throws {MemoryError} `jobs/not-found`; `jobs/conflict` if it runs or is done.
   */
  async retry(id: string): Promise<Job> {
    checkId('retry a job', 'id', id)
    const { work, store, runner } = this.#parts
    work.checkOpen()
    const row = await work.begin(retryJob(store.jobs, id))
    runner.nudge()
    return jobFromRow(row)
  }

  /**
   * Ends a job that is not done; learning goes on with the next message of the session. What it stored by then stays.
   *
   * @throws {MemoryError} `jobs/not-found`; `jobs/conflict` if it is done.
   */
  async cancel(id: string): Promise<Job> {
    checkId('cancel a job', 'id', id)
    const { work, store, runner } = this.#parts
    work.checkOpen()
    const row = await work.begin(cancelJob(store.jobs, id))
    runner.stop(id)
    return jobFromRow(row)
  }
}
