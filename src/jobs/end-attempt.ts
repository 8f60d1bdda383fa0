import type { JSONValue } from '../domain/json.ts'
import type { JobRow, JobStore } from '../ports/job-store.ts'
import { backOffMs } from './back-off.ts'

/** A job as it was claimed: who it is, who holds it, and for which attempt. */
export type Claimed = Pick<JobRow, 'id' | 'owner' | 'attempts'>

export type Attempt =
  | { readonly type: 'done'; readonly result: JSONValue }
  | {
      readonly type: 'failed'
      readonly error: string
      /** Decides how long to wait: from 0 up to, but not including, 1. */
      readonly chance: number
      readonly attemptsMax: number
    }
  /** Not finished, and not its fault: somebody else may begin it at once. */
  | { readonly type: 'given-back' }

/**
 * Writes down how an attempt ended. `undefined` if the job no longer belongs to this owner: its lease ended and another took
 * it, or it was cancelled; then nothing is written.
 */
export async function endAttempt(store: JobStore, claim: Claimed, attempt: Attempt): Promise<JobRow | undefined> {
  return store.change({
    of: { id: claim.id },
    decide: ({ job, now }) => {
      if (!isHeld(job, claim)) return { answer: undefined }
      const row = { ...job, owner: null, updatedAt: now, ...after(job, attempt, now) }
      return { answer: row, update: row }
    },
  })
}

/** Keeps a lease that has not been lost. False if it has. */
export async function extendLease(store: JobStore, claim: Claimed, leaseMs: number): Promise<boolean> {
  return store.change({
    of: { id: claim.id },
    decide: ({ job, now }) =>
      isHeld(job, claim) ? { answer: true, update: { ...job, dueAt: now + leaseMs } } : { answer: false },
  })
}

/** By its number too: an owner may have let one lease of a job end and hold a later one. */
function isHeld(job: JobRow | undefined, { owner, attempts }: Claimed): job is JobRow {
  return job !== undefined && job.state === 'running' && job.owner === owner && job.attempts === attempts
}

function after(job: JobRow, attempt: Attempt, now: number): Partial<JobRow> {
  switch (attempt.type) {
    case 'done':
      return { state: 'done', error: null, result: attempt.result }
    case 'given-back':
      return { state: 'waiting', dueAt: now, attempts: job.attempts - 1 }
    case 'failed':
      if (job.attempts >= attempt.attemptsMax) return { state: 'failed', error: attempt.error }
      return { state: 'waiting', error: attempt.error, dueAt: now + backOffMs(job.attempts, attempt.chance) }
  }
}
