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
  /**
   * What a statement of heads has of each row, so that one that is gone or was put back is found: hashes, or the version that it says.
   * Otherwise why its rows may vanish unseen.
   */
  readonly stated: StatedColumns | 'version' | { readonly vanishes: string }
}

/** What a statement of heads covers of a row: all columns but these. */
export interface StatedColumns {
  /** Columns that change while the row stays. */
  readonly changing?: readonly string[]
  /** A column that is set once, when the row ends. */
  readonly ends?: string
}

const SCOPED = ['scope', 'id'] as const

/** Every table with rows that a digest covers, in the order in which they are checked. */
export const digestTables: readonly DigestTable[] = [
  {
    ...primary('operations', ['session', 'id'], ['request', 'seqs']),
    owner: 'session',
    // Encrypted with another key when something in the session is forgotten.
    stated: { changing: ['request'] },
  },
  { ...primary('knowledge_versions', ['root', 'version'], ['scope', 'at', 'nth']), stated: { changing: ['nth'] } },
  versioned(
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
  versioned('fact_sources', ['scope', 'fact', 'revision', 'evidence', 'source'], ['until', 'trust', 'body']),
  primary('facts_forgotten', ['scope', 'version', 'fact'], []),
  versioned('entities', ['scope', 'key', 'revision'], ['until', 'body']),
  versioned('entity_names', ['scope', 'name', 'revision'], ['until', 'entity']),
  { ...primary('predicates', ['scope', 'name'], ['single']), stated: { changing: ['single'] } },
  {
    ...primary('proposals', SCOPED, ['kind', 'status', 'created_at', 'body']),
    stated: { changing: ['status', 'body'] },
  },
  primary('proposal_parts', ['scope', 'part', 'proposal'], []),
  { ...primary('calibrations', ['scope', 'model', 'tokenizer'], ['value']), stated: { changing: ['value'] } },
  { ...primary('state_heads', ['scope', 'session'], ['version', 'at']), stated: 'version' },
  {
    ...primary('state_entries', ['scope', 'session', 'section', 'key', 'version'], ['until_version', 'at', 'value']),
    stated: { ends: 'until_version' },
  },
  {
    ...primary('learn_cursors', ['session'], ['version', 'seq']),
    owner: 'database',
    stated: { changing: ['version', 'seq'] },
  },
  { ...primary('retention', ['scope'], ['policy', 'at']), stated: { changing: ['policy', 'at'] } },
  primary('forgotten_names', ['scope', 'name'], []),
  primary('forgotten_sessions', ['session'], ['scope', 'last_seq', 'head', 'at', 'reason']),
  {
    ...primary('erasures', ['id'], ['scope', 'stage', 'body', 'at']),
    stated: { vanishes: 'a row is there only while something is being forgotten' },
  },
  {
    ...primary('access_keys', ['id'], ['name', 'scope', 'can', 'hash', 'created_at', 'expires_at', 'revoked_at']),
    unchecked: ['last_used_at'],
    stated: { ends: 'revoked_at' },
  },
  {
    ...primary('answers', ['name'], ['request', 'status', 'body', 'at']),
    stated: { vanishes: 'responses for an Idempotency-Key are stored for one day' },
  },
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
  return { name, holds: 'primary', checked: 'digest', key, columns, stated: {} }
}

/** Rows of this table end when a later one takes their place. */
function versioned(name: string, key: readonly string[], columns: readonly string[]): DigestTable {
  return { ...primary(name, key, columns), stated: { ends: 'until' } }
}

function derived(name: string, key: readonly string[], columns: readonly string[]): DigestTable {
  return {
    ...primary(name, key, columns),
    holds: 'derived',
    stated: { vanishes: 'it is made again when it is needed' },
  }
}
