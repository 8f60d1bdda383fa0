import type { JobSubject } from '../domain/job.ts'
import type { JSONValue } from '../domain/json.ts'
import type { JobRow } from '../ports/job-store.ts'

/** Something in a scope that may have work: whoever changed it says so. */
export type Hint = Omit<JobSubject, 'kind'>

/** Work that was found by looking at what is stored. */
export interface FoundWork extends Hint {
  /** How far the subject has come: a job that failed or was cancelled is not asked for again before it has moved on. */
  readonly mark: number
}

/** One kind of background work. */
export interface JobKind {
  readonly name: string
  /** How many may be due at once. Those that failed and wait for their next attempt take no room. */
  readonly queueMax: number
  /** After so many failed attempts it waits for a person. A process that ended in the middle counts as one. */
  readonly attemptsMax: number
  /** Work among the hinted subjects, or among all. What is stored is the truth: nothing is lost that nobody hinted at. Ends with the signal. */
  find(among: readonly Hint[] | 'all', signal: AbortSignal): AsyncIterable<FoundWork>
  /** Does the work and answers with what to say about it. Safe to run again: a crash may come at any moment. */
  run(job: JobRow, signal: AbortSignal): Promise<JSONValue>
}
