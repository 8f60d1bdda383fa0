import type { Migration } from '../migration.ts'

const names = [
  'operations',
  'knowledge_versions',
  'facts',
  'fact_sources',
  'facts_forgotten',
  'entities',
  'entity_names',
  'predicates',
  'proposals',
  'proposal_parts',
  'calibrations',
  'state_heads',
  'state_entries',
  'learn_cursors',
  'retention',
  'forgotten_names',
  'forgotten_sessions',
  'erasures',
  'access_keys',
  'answers',
  'tool_counts',
  'vector_generations',
  'vector_sets',
  'vectors',
]

/**
 * A digest in each row that no hash chain covers, so that `verify` finds a row that was changed. Null only inside a transaction:
 * before it is committed, every row that it wrote gets its digest.
 */
export const rowDigests: Migration = {
  number: 10,
  name: 'row-digests',
  statements: ({ bytes }) =>
    names.flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN row_digest ${bytes}`,
      `CREATE INDEX ${table}_without_digest ON ${table} (row_digest) WHERE row_digest IS NULL`,
    ]),
}
