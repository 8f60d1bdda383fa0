import type { JobState, JobSubject } from '../domain/job.ts'
import type { JSONValue } from '../domain/json.ts'

export interface JobRow extends JobSubject {
  readonly id: string
  /** How far the subject had come when the work was asked for, as a version of a log. */
  readonly mark: number
  readonly payload: JSONValue
  readonly state: JobState
  readonly attempts: number
  /** When it may be claimed, by the store's clock: waiting, when it is due; running, when its lease ends. */
  readonly dueAt: number
  /** Who holds the lease. */
  readonly owner: string | null
  readonly error: string | null
  readonly result: JSONValue
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a decision is told; read in the transaction that writes it. */
export interface JobFindings {
  /** What the store's clock says, which all who share the store go by: their own may be hours apart. */
  readonly now: number
  /** The job of the id that was asked for. */
  readonly job: JobRow | undefined
  /** The job of the subject that waits or runs, if one does. */
  readonly live: JobRow | undefined
  /** The youngest job of the subject, whatever its state. */
  readonly latest: JobRow | undefined
  /** How many of the kind are due, counted no further than was asked. Those that wait for a later attempt take no room. */
  readonly dueOfKind: number
}

export interface JobDecision<Answer> {
  readonly answer: Answer
  readonly insert?: JobRow
  readonly update?: JobRow
}

export interface JobChange<Answer> {
  /** A job by its id, or whatever jobs a subject has. */
  readonly of: { readonly id: string } | JobSubject
  /** What is due of the kind is counted up to this number. @default not at all */
  readonly countMax?: number
  /** Pure: may run more than once, when the store has to start its transaction again. */
  decide(facts: JobFindings): JobDecision<Answer>
}

export interface JobClaim {
  readonly kind: string
  readonly owner: string
  /** How long it is nobody else's, from the moment that it is written. */
  readonly leaseMs: number
  /** Ids of those that it is still at work on, whatever became of their leases: no process has a job twice at once. */
  readonly except: readonly string[]
  readonly limit: number
}

export interface JobQuery {
  readonly scope?: string
  readonly kind?: string
  readonly state?: JobState
  /** Only those that changed at this time or later, by the store's clock. */
  readonly changedSince?: number
  /** Only older ones than the job of this id. */
  readonly after?: string
  readonly limit: number
}

/** What is left to do of some kinds. */
export interface JobTally {
  readonly due: number
  /** Under a lease that has not ended, in whatever process. */
  readonly running: number
  readonly waiting: number
  readonly failed: number
  /** How long until the next one becomes due, or its lease ends. */
  readonly nextInMs: number | undefined
}

/**
 * Durable background work. Decisions are made by `decide`, in the transaction that writes them. All times are of one clock,
 * the store's: machines that disagree about the time would take each other's jobs in the middle.
 */
export interface JobStore {
  change<Answer>(change: JobChange<Answer>): Promise<Answer>
  /** Takes jobs that are due, or whose lease has ended, oldest first. Of several processes exactly one gets a job. */
  claim(claim: JobClaim): Promise<readonly JobRow[]>
  /** Newest first. */
  list(query: JobQuery): Promise<readonly JobRow[]>
  tally(kinds: readonly string[]): Promise<JobTally>
  /** Deletes what is done or cancelled beyond the newest `keep` of a kind, a bounded number at a time. */
  prune(kind: string, keep: number): Promise<number>
}
