import type { Migration } from '../migration.ts'

/** Keys of the server, what was done with them, and the answers kept for retries. */
export const access: Migration = {
  number: 6,
  name: 'access',
  statements: ({ integer, bytes, text, clustered }) => [
    `CREATE TABLE access_keys (
      id ${text} NOT NULL PRIMARY KEY,
      name ${text} NOT NULL,
      scope ${text},
      can ${text} NOT NULL,
      hash ${bytes} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer},
      last_used_at ${integer}
    )${clustered}`,
    `CREATE TABLE audit (
      number ${integer} NOT NULL PRIMARY KEY,
      at ${integer} NOT NULL,
      key_id ${text},
      action ${text} NOT NULL,
      scope ${text},
      status ${integer} NOT NULL,
      ids ${text} NOT NULL,
      digest ${text},
      chain ${text} NOT NULL
    )`,
    `CREATE TABLE answers (
      name ${text} NOT NULL PRIMARY KEY,
      request ${text} NOT NULL,
      status ${integer} NOT NULL,
      body ${text} NOT NULL,
      at ${integer} NOT NULL
    )${clustered}`,
    `CREATE INDEX answers_by_age ON answers (at)`,
  ],
}
