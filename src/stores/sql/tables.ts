/** What a table is to the memory, and how `verify` checks its rows. */
export interface TableDescription {
  readonly name: string
  /**
   * `primary` cannot be made again from anything else. `derived` is made from the log or from primary rows. `operational` is about
   * work that is under way or was done lately: losing it costs time and no data, and archives leave it out.
   */
  readonly holds: 'primary' | 'derived' | 'operational'
  /**
   * `chain`: by the hash chain of its session, of the audit trail, or by a hash that is its key. `digest`: by a digest in each row.
   * `open`: whenever the memory is opened. `log`: compared with what the log gives. `none`: not checked.
   */
  readonly checked: 'chain' | 'digest' | 'open' | 'log' | 'none'
  /** Columns that are not checked, because they only say how something is used or when it was derived. */
  readonly unchecked?: readonly string[]
}

/** A table whose rows have a digest each. */
export interface DigestTable extends TableDescription {
  readonly checked: 'digest'
  readonly key: readonly string[]
  /** The other columns that the digest covers. */
  readonly columns: readonly string[]
  /**
   * Whose column `scope` PostgreSQL adds: `session` in front of the key, `database` beside it, for row security.
   */
  readonly owner?: 'session' | 'database'
}

const SCOPED = ['scope', 'id'] as const

/** Every table with rows that a digest covers, in the order in which they are checked. */
export const digestTables: readonly DigestTable[] = [
  { ...primary('operations', ['session', 'id'], ['request', 'seqs']), owner: 'session' },
  primary('knowledge_versions', ['root', 'version'], ['scope', 'at', 'nth']),
  primary(
    'facts',
    ['scope', 'id', 'revision'],
    [
      'until',
      'recorded_at',
      'subject',
      'predicate',
      'object_key',
      'object_entity',
      'valid_from',
      'valid_to',
      'standing',
      'trust',
      'learned_at',
      'applied',
      'body',
    ],
  ),
  primary('fact_sources', ['scope', 'fact', 'revision', 'evidence', 'source'], ['until', 'trust', 'body']),
  primary('facts_forgotten', ['scope', 'version', 'fact'], []),
  primary('entities', ['scope', 'key', 'revision'], ['until', 'body']),
  primary('entity_names', ['scope', 'name', 'revision'], ['until', 'entity']),
  primary('predicates', ['scope', 'name'], ['single']),
  primary('proposals', SCOPED, ['kind', 'status', 'created_at', 'body']),
  primary('proposal_parts', ['scope', 'part', 'proposal'], []),
  primary('calibrations', ['scope', 'model', 'tokenizer'], ['value']),
  primary('state_heads', ['scope', 'session'], ['version', 'at']),
  primary('state_entries', ['scope', 'session', 'section', 'key', 'version'], ['until_version', 'at', 'value']),
  { ...primary('learn_cursors', ['session'], ['version', 'seq']), owner: 'database' },
  primary('retention', ['scope'], ['policy', 'at']),
  primary('forgotten_names', ['scope', 'name'], []),
  primary('forgotten_sessions', ['session'], ['scope', 'last_seq', 'head', 'at', 'reason']),
  primary('erasures', ['id'], ['scope', 'stage', 'body', 'at']),
  {
    ...primary('access_keys', ['id'], ['name', 'scope', 'can', 'hash', 'created_at', 'expires_at', 'revoked_at']),
    unchecked: ['last_used_at'],
  },
  primary('answers', ['name'], ['request', 'status', 'body', 'at']),
  derived('tool_counts', ['scope', 'session'], ['log', 'through', 'counts']),
  derived('vector_generations', ['key'], ['model', 'dimensions', 'rank']),
  derived('vector_sets', ['key'], ['scope', 'generation', 'through', 'last', 'removals', 'complete']),
  { ...derived('vectors', ['vector_set', 'number'], ['passage', 'bytes']), owner: 'database' },
]

/** Every table of the schema, labelled once. */
export const tables: readonly TableDescription[] = [
  { name: 'sessions', holds: 'primary', checked: 'chain' },
  { name: 'messages', holds: 'primary', checked: 'chain' },
  { name: 'amendments', holds: 'primary', checked: 'chain' },
  { name: 'blobs', holds: 'primary', checked: 'chain' },
  { name: 'audit', holds: 'primary', checked: 'chain' },
  ...digestTables,
  { name: 'tool_links', holds: 'derived', checked: 'log' },
  { name: 'recall_shelves', holds: 'derived', checked: 'log' },
  { name: 'recall_threads', holds: 'derived', checked: 'log', unchecked: ['disturbed', 'unfinished'] },
  { name: 'recall_terms', holds: 'derived', checked: 'log' },
  { name: 'recall_segments', holds: 'derived', checked: 'log', unchecked: ['target'] },
  { name: 'recall_postings', holds: 'derived', checked: 'log' },
  { name: 'recall_passages', holds: 'derived', checked: 'log' },
  { name: 'recall_posted', holds: 'derived', checked: 'log', unchecked: ['number'] },
  { name: 'recall_speakers', holds: 'derived', checked: 'log' },
  { name: 'migrations', holds: 'primary', checked: 'open', unchecked: ['applied_at'] },
  { name: 'jobs', holds: 'operational', checked: 'none' },
  // Each has a digest of what was sent, which is compared whenever it is read.
  { name: 'kept_contexts', holds: 'operational', checked: 'none' },
  { name: 'kept_texts', holds: 'operational', checked: 'none' },
  // On PostgreSQL only: which transactions were committed, for a few hours.
  { name: 'commits', holds: 'operational', checked: 'none' },
]

function primary(name: string, key: readonly string[], columns: readonly string[]): DigestTable {
  return { name, holds: 'primary', checked: 'digest', key, columns }
}

function derived(name: string, key: readonly string[], columns: readonly string[]): DigestTable {
  return { ...primary(name, key, columns), holds: 'derived' }
}
