import type { JobSubject } from '../domain/job.ts'
import type { JSONValue } from '../domain/json.ts'
import type { JobDecision, JobRow, JobStore } from '../ports/job-store.ts'

export interface NewJob extends JobSubject {
  readonly id: string
  readonly mark: number
  readonly payload: JSONValue
}

/**
 * Asks for work that was found by looking. Answers `known` for what waits or runs already, and for what failed or was
 * cancelled and has not changed since; `full` if as many of the kind are due as may.
 */
export async function enqueueFound(
  store: JobStore,
  job: NewJob,
  queueMax: number,
): Promise<'added' | 'known' | 'full'> {
  const { kind, scope, subject, mark } = job
  return store.change({
    of: { kind, scope, subject },
    countMax: queueMax,
    decide: ({ now, live, latest, dueOfKind }) => {
      // Remembered, so that cancelling it concerns all that was known when it was cancelled.
      if (live !== undefined && live.mark < mark) return { answer: 'known', update: { ...live, mark } }
      if (live !== undefined || isSetAside(latest, mark)) return { answer: 'known' }
      return dueOfKind >= queueMax ? { answer: 'full' } : added(job, latest, now)
    },
  })
}

function isSetAside(latest: JobRow | undefined, mark: number): boolean {
  return latest !== undefined && (latest.state === 'failed' || latest.state === 'cancelled') && latest.mark >= mark
}

/** A failed job of the subject is taken up again rather than joined by a second one. */
function added(given: NewJob, latest: JobRow | undefined, now: number): JobDecision<'added'> {
  const fresh = { state: 'waiting', attempts: 0, dueAt: now, owner: null, error: null, result: null } as const
  if (latest?.state !== 'failed')
    return { answer: 'added', insert: { ...given, ...fresh, createdAt: now, updatedAt: now } }
  const { mark, payload } = given
  return { answer: 'added', update: { ...latest, ...fresh, error: latest.error, mark, payload, updatedAt: now } }
}
