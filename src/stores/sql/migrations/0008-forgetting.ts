import type { Migration } from '../migration.ts'

/** What stays of what was forgotten, work of forgetting that is not finished, and how long things are kept. */
export const forgetting: Migration = {
  number: 8,
  name: 'forgetting',
  statements: ({ integer, text, bytes, owned, clustered }) => [
    // Ids as hashes: whoever retries an old append is told that it was forgotten, instead of bringing it back.
    `CREATE TABLE forgotten_names (
      scope ${text} NOT NULL,
      name ${text} NOT NULL,
      PRIMARY KEY (scope, name)
    )${clustered}`,
    // The last link of a chain over salted digests tells nothing of what was said.
    `CREATE TABLE forgotten_sessions (
      session ${integer} PRIMARY KEY,
      scope ${text} NOT NULL,
      last_seq ${integer} NOT NULL,
      head ${bytes} NOT NULL,
      at ${integer} NOT NULL,
      reason ${text} NOT NULL
    )`,
    `CREATE TABLE erasures (
      id ${text} NOT NULL PRIMARY KEY,
      scope ${text} NOT NULL,
      stage ${text} NOT NULL,
      body ${text} NOT NULL,
      at ${integer} NOT NULL
    )${clustered}`,
    `CREATE TABLE retention (
      scope ${text} NOT NULL PRIMARY KEY,
      policy ${text} NOT NULL,
      at ${integer} NOT NULL
    )${clustered}`,
    // Whatever the kinds are: all that was to be done about a session goes with it.
    `CREATE INDEX jobs_by_scope ON jobs (scope, subject)`,
    `ALTER TABLE recall_threads ADD COLUMN disturbed ${integer} NOT NULL DEFAULT 0`,
    // Where keys begin with the scope: for who goes through the sessions of all scopes in the order of their creation.
    ...(owned.key === '' ? [] : [`CREATE INDEX sessions_in_order ON sessions (key)`]),
    `CREATE INDEX sessions_by_parent ON sessions (parent_key) WHERE parent_key IS NOT NULL`,
  ],
}
