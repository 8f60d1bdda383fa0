import type { Jobs } from '../api/jobs.ts'
import type { Store } from '../ports/store.ts'
import { checkCall } from '../surface/check-call.ts'
import { jobOperations } from '../surface/jobs.ts'
import { cancelJob, retryJob } from './by-hand.ts'
import { jobFromRow } from './job-from-row.ts'
import type { Runner } from './runner.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

/** What the jobs of a memory need of it. */
interface JobsWiring {
  readonly store: Pick<Store, 'jobs'>
  readonly runner: Pick<Runner, 'nudge' | 'stop'>
  /** Closing the memory waits for what was begun. */
  readonly work: { checkOpen(): void; begin<Result>(work: Promise<Result>): Promise<Result> }
}

/** The background work of a memory, on a store of its own. */
export function localJobs({ store, work, runner }: JobsWiring): Jobs {
  return {
    list: async (options = {}) => {
      checkCall(jobOperations.list, options)
      work.checkOpen()
      const { limit = LIMIT_DEFAULT } = options
      return (await store.jobs.list({ ...options, limit: Math.min(limit, LIMIT_MAX) })).map(jobFromRow)
    },
    retry: async (id) => {
      checkCall(jobOperations.retry, id)
      work.checkOpen()
      const row = await work.begin(retryJob(store.jobs, id))
      runner.nudge()
      return jobFromRow(row)
    },
    cancel: async (id) => {
      checkCall(jobOperations.cancel, id)
      work.checkOpen()
      const row = await work.begin(cancelJob(store.jobs, id))
      runner.stop(id)
      return jobFromRow(row)
    },
  }
}
