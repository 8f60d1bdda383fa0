import type { SqlDialect } from './dialect.ts'

const job = `id AS "id", kind AS "kind", scope AS "scope", subject AS "subject", mark AS "mark", payload AS "payload",
  state AS "state", attempts AS "attempts", due_at AS "dueAt", owner AS "owner", error AS "error", result AS "result",
  created_at AS "createdAt", updated_at AS "updatedAt"`

type Name =
  | 'now'
  | 'subjectOf'
  | 'byId'
  | 'liveOfSubject'
  | 'latestOfSubject'
  | 'dueOfKind'
  | 'insert'
  | 'update'
  | 'claim'
  | 'keyOf'
  | 'tally'
  | 'failed'
  | 'prune'

export type JobStatements = Readonly<Record<Name, string>>

/** The states as literals wherever the partial indexes of live jobs are wanted. */
export function jobStatements({ now, forUpdate }: SqlDialect): JobStatements {
  return {
    now: `SELECT ${now} AS "now"`,
    subjectOf: `SELECT kind AS "kind", scope AS "scope", subject AS "subject" FROM jobs WHERE id = ?`,
    byId: `SELECT ${job} FROM jobs WHERE id = ?${forUpdate}`,
    liveOfSubject: `SELECT ${job} FROM jobs
      WHERE kind = ? AND scope = ? AND subject = ? AND state IN ('waiting', 'running')${forUpdate}`,
    latestOfSubject: `SELECT ${job} FROM jobs WHERE kind = ? AND scope = ? AND subject = ? ORDER BY key DESC LIMIT 1${forUpdate}`,
    dueOfKind: `SELECT count(*) AS "count" FROM
      (SELECT key FROM jobs WHERE kind = ? AND state IN ('waiting', 'running') AND due_at <= ${now} LIMIT ?) counted`,
    insert: `INSERT INTO jobs
      (id, kind, scope, subject, mark, payload, state, attempts, due_at, owner, error, result, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    update: `UPDATE jobs SET mark = ?, payload = ?, state = ?, attempts = ?, due_at = ?, owner = ?, error = ?, result = ?,
      updated_at = ? WHERE id = ?`,
    claim: `UPDATE jobs SET state = 'running', attempts = attempts + 1, owner = ?, due_at = ${now} + ?, updated_at = ${now}
      WHERE key = ? RETURNING ${job}`,
    keyOf: `SELECT key AS "key" FROM jobs WHERE id = ?`,
    tally: `SELECT state AS "state", CASE WHEN due_at <= ${now} THEN 1 ELSE 0 END AS "due", count(*) AS "count",
      min(due_at) - ${now} AS "inMs" FROM jobs WHERE kind = ? AND state IN ('waiting', 'running') GROUP BY 1, 2`,
    failed: `SELECT count(*) AS "count" FROM jobs WHERE kind = ? AND state = 'failed'`,
    prune: `DELETE FROM jobs WHERE key IN
      (SELECT key FROM jobs WHERE kind = ? AND state = ? ORDER BY key DESC LIMIT ? OFFSET ?)`,
  }
}

/** A page of jobs by whatever was asked for; the filters' values come first, then the key and the limit. */
export function listJobs(filters: readonly ('scope' | 'kind' | 'state' | 'changedSince')[]): string {
  const conditions = filters.map((name) => (name === 'changedSince' ? 'updated_at >= ?' : `${name} = ?`))
  const where = [...conditions, 'key < ?'].join(' AND ')
  return `SELECT ${job} FROM jobs WHERE ${where} ORDER BY key DESC LIMIT ?`
}

/** What can be claimed of a kind, but for so many ids, which come between the kind and the limit. */
export function dueJobs({ now, skipLocked }: SqlDialect, excepted: number): string {
  const others = ' AND id <> ?'.repeat(excepted)
  return `SELECT key AS "key" FROM jobs WHERE kind = ? AND state IN ('waiting', 'running') AND due_at <= ${now}${others}
    ORDER BY due_at, key LIMIT ?${skipLocked}`
}
