import { MemoryError } from '../domain/error.ts'
import type { JobSubject } from '../domain/job.ts'
import type { JSONValue } from '../domain/json.ts'
import type { JobFacts, JobDecision, JobRow, JobStore } from '../ports/job-store.ts'

export interface NewJob extends JobSubject {
  readonly id: string
  readonly mark: number
  readonly payload: JSONValue
  readonly now: number
}

/**
 * Asks for work. A subject that has a job waiting or running keeps that one.
 *
 * @throws {MemoryError} `jobs/full` if as many of the kind wait or run as may.
 */
export async function enqueue(store: JobStore, job: NewJob, queueMax: number): Promise<JobRow> {
  const row = await store.change({
    of: subjectOf(job),
    countMax: queueMax,
    decide: (facts) => decide(job, queueMax, facts),
  })
  if (row !== undefined) return row
  throw new MemoryError(
    'jobs/full',
    `Cannot add a job: ${queueMax} jobs of kind ${JSON.stringify(job.kind)} wait or run, expected fewer`,
    { kind: job.kind, max: queueMax },
  )
}

/**
 * Asks for work that was found by looking. Answers `known` for what waits or runs already, and for what failed or was
 * cancelled and has not changed since.
 */
export async function enqueueFound(
  store: JobStore,
  job: NewJob,
  queueMax: number,
): Promise<'added' | 'known' | 'full'> {
  return store.change({
    of: subjectOf(job),
    countMax: queueMax,
    decide: (facts) => {
      // Remembered, so that cancelling it concerns all that was known when it was cancelled.
      if (facts.live !== undefined && facts.live.mark < job.mark)
        return { answer: 'known', update: { ...facts.live, mark: job.mark } }
      if (facts.live !== undefined || isSetAside(facts.latest, job.mark)) return { answer: 'known' }
      const { answer, ...write } = decide(job, queueMax, facts)
      return { answer: answer === undefined ? 'full' : 'added', ...write }
    },
  })
}

function subjectOf({ kind, scope, subject }: NewJob): JobSubject {
  return { kind, scope, subject }
}

function isSetAside(latest: JobRow | undefined, mark: number): boolean {
  return latest !== undefined && (latest.state === 'failed' || latest.state === 'cancelled') && latest.mark >= mark
}

/** A failed job of the subject is taken up again rather than joined by a second one. No answer if there is no room. */
function decide(
  job: NewJob,
  queueMax: number,
  { live, latest, liveOfKind }: JobFacts,
): JobDecision<JobRow | undefined> {
  if (live !== undefined) return { answer: live }
  if (liveOfKind >= queueMax) return { answer: undefined }
  const { now, ...given } = job
  const fresh = { state: 'waiting', attempts: 0, dueAt: now, owner: null, error: null, result: null } as const
  if (latest?.state === 'failed') {
    const { mark, payload } = job
    const row: JobRow = { ...latest, ...fresh, error: latest.error, mark, payload, updatedAt: now }
    return { answer: row, update: row }
  }
  const row: JobRow = { ...given, ...fresh, createdAt: now, updatedAt: now }
  return { answer: row, insert: row }
}
