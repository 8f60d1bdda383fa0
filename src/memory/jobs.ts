import type { Jobs } from '../api/jobs.ts'
import type { JobsOptions } from '../api/jobs.ts'
import type { Job } from '../domain/job.ts'
import { cancelJob, retryJob } from '../jobs/by-hand.ts'
import { jobFromRow } from '../jobs/job-from-row.ts'
import { checkCall } from '../surface/check-call.ts'
import { jobOperations } from '../surface/jobs.ts'
import type { Wiring } from './wiring.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalJobs implements Jobs {
  readonly #parts: Wiring

  /** @internal Use `memory.jobs`. */
  constructor(parts: Wiring) {
    this.#parts = parts
  }

  async list(options: JobsOptions = {}): Promise<readonly Job[]> {
    checkCall(jobOperations.list, options)
    const { limit = LIMIT_DEFAULT } = options
    this.#parts.work.checkOpen()
    const rows = await this.#parts.store.jobs.list({ ...options, limit: Math.min(limit, LIMIT_MAX) })
    return rows.map(jobFromRow)
  }

  async retry(id: string): Promise<Job> {
    checkCall(jobOperations.retry, id)
    const { work, store, runner } = this.#parts
    work.checkOpen()
    const row = await work.begin(retryJob(store.jobs, id))
    runner.nudge()
    return jobFromRow(row)
  }

  async cancel(id: string): Promise<Job> {
    checkCall(jobOperations.cancel, id)
    const { work, store, runner } = this.#parts
    work.checkOpen()
    const row = await work.begin(cancelJob(store.jobs, id))
    runner.stop(id)
    return jobFromRow(row)
  }
}
