import type { Migration } from '../migration.ts'

/** Background work, and how far each session was learned from. */
export const jobs: Migration = {
  number: 4,
  name: 'jobs',
  statements: ({ integer, text, identity, owned, whose, clustered }) => [
    `CREATE TABLE jobs (
      key ${identity},
      id ${text} NOT NULL UNIQUE,
      kind ${text} NOT NULL,
      scope ${text} NOT NULL,
      subject ${text} NOT NULL,
      mark ${integer} NOT NULL,
      payload ${text} NOT NULL,
      state ${text} NOT NULL,
      attempts ${integer} NOT NULL,
      due_at ${integer} NOT NULL,
      owner ${text},
      error ${text},
      result ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    // One live job a subject, by the database's own word: two processes that find the same work make one row.
    `CREATE UNIQUE INDEX jobs_live_subject ON jobs (kind, scope, subject) WHERE state IN ('waiting', 'running')`,
    `CREATE INDEX jobs_live ON jobs (kind, due_at) WHERE state IN ('waiting', 'running')`,
    `CREATE INDEX jobs_by_subject ON jobs (kind, scope, subject, key)`,
    `CREATE INDEX jobs_by_state ON jobs (kind, state, key)`,
    `CREATE TABLE learn_cursors (
      ${whose}session ${integer} NOT NULL${owned.references},
      version ${integer} NOT NULL,
      seq ${integer} NOT NULL,
      PRIMARY KEY (session)
    )${clustered}`,
  ],
}
