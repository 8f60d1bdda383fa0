import type { Migration } from '../migration.ts'

/** Keys of the server, what was done with them, and the answers kept for retries. */
export const access: Migration = {
  number: 6,
  name: 'access',
  statements: ({ integer, bytes, clustered }) => [
    `CREATE TABLE access_keys (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      scope TEXT,
      can TEXT NOT NULL,
      hash ${bytes} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer},
      last_used_at ${integer}
    )${clustered}`,
    `CREATE TABLE audit (
      number ${integer} NOT NULL PRIMARY KEY,
      at ${integer} NOT NULL,
      key_id TEXT,
      action TEXT NOT NULL,
      scope TEXT,
      status ${integer} NOT NULL,
      ids TEXT NOT NULL,
      digest TEXT,
      chain TEXT NOT NULL
    )`,
    `CREATE TABLE answers (
      name TEXT NOT NULL PRIMARY KEY,
      request TEXT NOT NULL,
      status ${integer} NOT NULL,
      body TEXT NOT NULL,
      at ${integer} NOT NULL
    )${clustered}`,
    `CREATE INDEX answers_by_age ON answers (at)`,
  ],
}
