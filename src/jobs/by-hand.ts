import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { JobDecision, JobRow, JobStore } from '../ports/job-store.ts'

/**
 * Makes a job due now, as if it had never been tried: one that failed, was cancelled, or waits for its next attempt.
 *
 * @throws {MemoryError} `jobs/not-found`; `jobs/conflict` if it runs or is done, or if its subject has another one by now.
 */
export async function retryJob(store: JobStore, id: string): Promise<JobRow> {
  return store.change({
    of: { id },
    decide: ({ job, live, now }) => {
      if (job === undefined) throw missing('retry', id)
      if (job.state === 'running' || job.state === 'done') throw conflict('retry', job, 'failed, cancelled or waiting')
      if (live !== undefined && live.id !== id) throw conflict('retry', live, 'no other job with the same subject')
      return changed({ ...job, state: 'waiting', attempts: 0, dueAt: now, updatedAt: now })
    },
  })
}

/**
 * Ends a job that is not done. One that runs gets a signal to stop; what it has stored by then stays.
 *
 * @throws {MemoryError} `jobs/not-found`; `jobs/conflict` if it is done.
 */
export async function cancelJob(store: JobStore, id: string): Promise<JobRow> {
  return store.change({
    of: { id },
    decide: ({ job, now }) => {
      if (job === undefined) throw missing('cancel', id)
      if (job.state === 'done') throw conflict('cancel', job, 'not done')
      if (job.state === 'cancelled') return { answer: job }
      return changed({ ...job, state: 'cancelled', owner: null, updatedAt: now })
    },
  })
}

function changed(row: JobRow): JobDecision<JobRow> {
  return { answer: row, update: row }
}

function missing(attempt: string, id: string): MemoryError {
  return new MemoryError(
    'jobs/not-found',
    `Cannot ${attempt} job ${quote(id)}: there is none with this id, expected one`,
    {
      id,
    },
  )
}

function conflict(attempt: string, { id, state }: JobRow, wanted: string): MemoryError {
  return new MemoryError('jobs/conflict', `Cannot ${attempt} job ${quote(id)}: it is ${state}, expected ${wanted}`, {
    id,
    state,
  })
}
