import type { Migration } from '../migration.ts'

/**
 * Each change of what is known has its number among the changes of its scope, so that no reader has to count them.
 * The last migration that leaves rows without a digest: they get theirs after it.
 */
export const numberedChanges: Migration = {
  number: 15,
  name: 'numbered-changes',
  statements: ({ integer }) => [
    `ALTER TABLE knowledge_versions ADD COLUMN nth ${integer} NOT NULL DEFAULT 0`,
    `UPDATE knowledge_versions SET nth = numbered.nth, row_digest = NULL
      FROM (SELECT root, version, ROW_NUMBER() OVER (PARTITION BY root, scope ORDER BY version) AS nth
        FROM knowledge_versions) AS numbered
      WHERE knowledge_versions.root = numbered.root AND knowledge_versions.version = numbered.version`,
    // A scope has one root.
    `DROP INDEX knowledge_versions_by_scope`,
    `CREATE INDEX knowledge_versions_by_scope ON knowledge_versions (scope, version, nth)`,
    // A watch of a scope counts its forgotten sessions at each look.
    `CREATE INDEX forgotten_sessions_by_scope ON forgotten_sessions (scope)`,
  ],
}
