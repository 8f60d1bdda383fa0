import type { Migration } from '../migration.ts'

/**
 * Calibrations belong to a scope. Rows from before are dropped: they were made from the reports of all tenants together, and
 * are learned again from the next ones.
 */
export const calibrationsByScope: Migration = {
  number: 9,
  name: 'calibrations-by-scope',
  statements: ({ text }) => [
    `DROP TABLE calibrations`,
    `CREATE TABLE calibrations (
      scope ${text} NOT NULL,
      model ${text} NOT NULL,
      tokenizer ${text} NOT NULL,
      value ${text} NOT NULL,
      PRIMARY KEY (scope, model, tokenizer)
    )`,
  ],
}
