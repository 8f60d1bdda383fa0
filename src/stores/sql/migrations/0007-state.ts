import type { Migration } from '../migration.ts'

/** The working documents of sessions: every value that a key ever had, and how often tools were called. */
export const state: Migration = {
  number: 7,
  name: 'state',
  statements: ({ integer, text, clustered }) => [
    `CREATE TABLE state_heads (
      scope ${text} NOT NULL,
      session ${text} NOT NULL,
      version ${integer} NOT NULL,
      at ${integer} NOT NULL,
      PRIMARY KEY (scope, session)
    )${clustered}`,
    `CREATE TABLE state_entries (
      scope ${text} NOT NULL,
      session ${text} NOT NULL,
      section ${text} NOT NULL,
      key ${text} NOT NULL,
      version ${integer} NOT NULL,
      until_version ${integer},
      at ${integer} NOT NULL,
      value ${text},
      PRIMARY KEY (scope, session, section, key, version)
    )${clustered}`,
    // What holds now is read at every turn: it must not cost what the history costs.
    `CREATE UNIQUE INDEX state_entries_current ON state_entries (scope, session, section, key)
      WHERE until_version IS NULL`,
    `CREATE INDEX state_entries_by_time ON state_entries (scope, session, at, version)`,
    `CREATE TABLE tool_counts (
      scope ${text} NOT NULL,
      session ${text} NOT NULL,
      log ${integer} NOT NULL,
      through ${integer} NOT NULL,
      counts ${text} NOT NULL,
      PRIMARY KEY (scope, session)
    )${clustered}`,
  ],
}
