import type { Migration } from '../migration.ts'

/** Contexts that were built, for 30 days, and the texts in them that are not in the log. */
export const keptContexts: Migration = {
  number: 11,
  name: 'kept-contexts',
  statements: ({ integer, text, clustered }) => [
    `CREATE TABLE kept_contexts (
      scope ${text} NOT NULL,
      session ${text} NOT NULL,
      id ${text} NOT NULL,
      at ${integer} NOT NULL,
      version ${integer} NOT NULL,
      borrowed ${integer} NOT NULL,
      head ${text} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (scope, session, id)
    )${clustered}`,
    `CREATE INDEX kept_contexts_by_time ON kept_contexts (at)`,
    `CREATE INDEX kept_contexts_borrowed ON kept_contexts (scope) WHERE borrowed = 1`,
    `CREATE TABLE kept_texts (
      scope ${text} NOT NULL,
      session ${text} NOT NULL,
      hash ${text} NOT NULL,
      at ${integer} NOT NULL,
      borrowed ${integer} NOT NULL,
      body ${text} NOT NULL,
      PRIMARY KEY (scope, session, hash)
    )${clustered}`,
    `CREATE INDEX kept_texts_by_time ON kept_texts (at)`,
    `CREATE INDEX kept_texts_borrowed ON kept_texts (scope) WHERE borrowed = 1`,
  ],
}
