import type { JSONValue } from './json.ts'

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** `waiting` until it is due, then `running`; `failed` after its last attempt, until somebody retries it. */
export type JobState = (typeof jobStates)[number]

/** What a job is about. At most one job of a subject waits or runs at a time. */
export interface JobSubject {
  /** Which work: `learn`. */
  readonly kind: string
  readonly scope: string
  /** What in the scope, as a session's id. */
  readonly subject: string
}

/** Background work, as listed. Times are ISO 8601, UTC. */
export interface Job extends JobSubject {
  readonly id: string
  readonly state: JobState
  /** How often it was begun. */
  readonly attempts: number
  /** When it may begin; while it runs, when another process may take it over. */
  readonly dueAt: string
  /** Why the last attempt failed. */
  readonly error?: string
  /** What it said when it was done. */
  readonly result?: JSONValue
  readonly createdAt: string
  readonly updatedAt: string
}
