import type { Migration } from '../migration.ts'

/** Where the indexing of a long message stopped: it takes several transactions. */
export const unfinishedPosting: Migration = {
  number: 12,
  name: 'unfinished-posting',
  statements: ({ integer }) => [`ALTER TABLE recall_threads ADD COLUMN unfinished ${integer} NOT NULL DEFAULT 0`],
}
