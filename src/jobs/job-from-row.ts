import type { Job } from '../domain/job.ts'
import type { JobRow } from '../ports/job-store.ts'

export function jobFromRow(row: JobRow): Job {
  const { id, kind, scope, subject, state, attempts, error, result } = row
  return {
    id,
    kind,
    scope,
    subject,
    state,
    attempts,
    dueAt: iso(row.dueAt),
    ...(error === null ? {} : { error }),
    ...(result === null ? {} : { result }),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
