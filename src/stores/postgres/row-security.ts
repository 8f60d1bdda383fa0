import type { VisibleScopes } from '../sql/database.ts'
import { identifier } from './identifier.ts'

const EVERY_SCOPE = '*'

/**
 * The setting that names the scopes a transaction may touch. Each scope ends with a line break, which no scope contains. So a scope
 * cannot be mistaken for the word that means all scopes.
 */
export function visibleScopesSetting(visible: VisibleScopes): string {
  return visible === 'every scope' ? EVERY_SCOPE : visible.map((scope) => `${scope}\n`).join('')
}

// In sub-selects, so that each is worked out once for a statement and not for every row. Unset, all of them are NULL or empty:
// no visible, no rows.
const everything = `(SELECT current_setting('daybook.visible_scopes', true)) = '${EVERY_SCOPE}'`
const seen = `string_to_array(current_setting('daybook.visible_scopes', true), E'\\n')`
const sees = (scope: string): string =>
  `${everything} OR ${scope} = ANY (COALESCE((SELECT ${seen}), '{}'))
    OR EXISTS (SELECT 1 FROM unnest(${seen}) AS below WHERE right(below, 1) = '/' AND starts_with(${scope}, below))`
const byScope = sees('scope')

/** Who sees which rows of a table. A table that is not named here cannot be made: nothing is open by being forgotten. */
const policies: Readonly<Record<string, string>> = {
  sessions: byScope,
  messages: byScope,
  amendments: byScope,
  tool_links: byScope,
  operations: byScope,
  blobs: byScope,
  learn_cursors: byScope,
  jobs: byScope,

  // Versions are counted by all scopes of a root together.
  knowledge_versions: `${everything} OR root = ANY (COALESCE(
    (SELECT array_agg(split_part(one, '/', 1)) FROM unnest(${seen}) AS one), '{}'))`,
  facts: byScope,
  fact_sources: byScope,
  facts_forgotten: byScope,
  entities: byScope,
  entity_names: byScope,
  predicates: byScope,
  proposals: byScope,
  proposal_parts: byScope,

  recall_shelves: byScope,
  recall_threads: byScope,
  recall_terms: byScope,
  recall_passages: byScope,
  recall_posted: byScope,
  recall_speakers: byScope,
  recall_segments: byScope,
  recall_postings: byScope,
  vector_sets: byScope,
  vectors: byScope,

  state_heads: byScope,
  state_entries: byScope,
  tool_counts: byScope,
  forgotten_names: byScope,
  forgotten_sessions: byScope,
  erasures: byScope,
  retention: byScope,
  calibrations: byScope,
  kept_contexts: byScope,
  kept_texts: byScope,

  // The server's own business, never a scope's.
  access_keys: everything,
  audit: everything,
  answers: everything,

  // These hold no tenant's data.
  vector_generations: 'true',
  commits: 'true',
  migrations: 'true',
}

/** Statements that put a table under row security, for its owner too. */
export function securedTable(table: string): readonly string[] {
  const policy = /^vectors_\d+$/.test(table) ? byScope : policies[table]
  if (policy === undefined)
    throw new Error(`Cannot secure table ${table}: row-security.ts does not say who sees its rows`)
  const name = identifier(table)
  return [
    `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`,
    `DROP POLICY IF EXISTS visible_scopes ON ${name}`,
    `CREATE POLICY visible_scopes ON ${name} USING (${policy}) WITH CHECK (${policy})`,
  ]
}
