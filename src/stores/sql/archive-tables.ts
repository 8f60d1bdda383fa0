import type { ArchiveTable, ColumnKind } from '../../ports/archive-store.ts'

/** A table whose rows belong in an archive. */
export interface StoredTable extends ArchiveTable {
  readonly table: string
  /** Its column that says since which version of what is known a row is there. */
  readonly since?: string
  /** It has a column `root`, and is found by it. */
  readonly root?: true
  /** Its rows have a number in their scope that the archive does not hold. */
  readonly numbered?: true
}

const text = 'text'
const integer = 'integer'
const bytes = 'bytes'
const until = 'until'

/**
 * Everything that an archive holds besides sessions, messages and amendments, in the order of the archive. What is derived
 * (the recall index, vectors, jobs, tool links) is not in it and is derived again; nor is what belongs to a server (keys, the
 * audit trail, kept answers).
 */
export const archiveTables: readonly StoredTable[] = [
  {
    ...named('calibration', 'calibrations', 'scope', ['scope', 'model', 'tokenizer']),
    columns: { scope: text, model: text, tokenizer: text, value: text },
    yields: true,
  },
  // Before the messages that show them, so that nothing is ever missing.
  { ...named('blob', 'blobs', 'scope', ['scope', 'hash']), columns: { scope: text, hash: text, bytes } },
  // So that a retry of something forgotten fails here as well.
  { ...named('forgotten', 'forgotten_names', 'scope', ['scope', 'name']), columns: { scope: text, name: text } },
  {
    ...named('retention', 'retention', 'scope', ['scope']),
    columns: { scope: text, policy: text, at: integer },
    yields: true,
  },

  // Before the log: what was learned from once is not learned from again, even if somebody looks in the middle.
  {
    ...named('learned', 'learn_cursors', 'cursor', []),
    columns: { version: integer, seq: integer },
    yieldsTo: 'version',
  },
  { ...named('operation', 'operations', 'session', ['id']), columns: { id: text, request: bytes, seqs: text } },

  // What was worked on here since is newer than what the archive has.
  {
    ...named('state-head', 'state_heads', 'state', ['scope', 'session']),
    columns: { scope: text, session: text, version: integer, at: integer },
    yields: true,
  },
  {
    ...named('state-entry', 'state_entries', 'state', ['scope', 'session', 'section', 'key', 'version']),
    columns: {
      scope: text,
      session: text,
      section: text,
      key: text,
      version: integer,
      untilVersion: integer,
      at: integer,
      value: text,
    },
    nullable: ['untilVersion', 'value'],
    yields: true,
  },

  // Versions first: whoever learns something in the middle gets a number that the archive has not.
  {
    ...named('knowledge-version', 'knowledge_versions', 'knowledge', ['root', 'version']),
    columns: { root: text, version: integer, scope: text, at: integer },
    since: 'version',
    root: true,
    numbered: true,
  },
  {
    ...named('fact', 'facts', 'knowledge', ['scope', 'id', 'revision']),
    columns: {
      scope: text,
      id: text,
      revision: integer,
      until,
      recordedAt: integer,
      subject: text,
      predicate: text,
      objectKey: text,
      objectEntity: text,
      validFrom: integer,
      validTo: integer,
      standing: text,
      trust: integer,
      learnedAt: integer,
      applied: integer,
      body: text,
    },
    nullable: ['objectEntity'],
    since: 'revision',
  },
  {
    ...named('fact-source', 'fact_sources', 'knowledge', ['scope', 'fact', 'revision', 'evidence', 'source']),
    columns: {
      scope: text,
      fact: text,
      evidence: text,
      source: text,
      revision: integer,
      until,
      trust: integer,
      body: text,
    },
    since: 'revision',
  },
  {
    ...named('fact-forgotten', 'facts_forgotten', 'knowledge', ['scope', 'version', 'fact']),
    columns: { scope: text, version: integer, fact: text },
    since: 'version',
  },
  {
    ...named('entity', 'entities', 'knowledge', ['scope', 'key', 'revision']),
    columns: { scope: text, key: text, revision: integer, until, body: text },
    since: 'revision',
  },
  {
    ...named('entity-name', 'entity_names', 'knowledge', ['scope', 'name', 'revision']),
    columns: { scope: text, name: text, revision: integer, until, entity: text },
    since: 'revision',
  },
  {
    ...named('predicate', 'predicates', 'knowledge', ['scope', 'name']),
    columns: { scope: text, name: text, single: integer },
  },
  {
    ...named('proposal', 'proposals', 'knowledge', ['scope', 'id']),
    columns: { scope: text, id: text, kind: text, status: text, createdAt: integer, body: text },
  },
  {
    ...named('proposal-part', 'proposal_parts', 'knowledge', ['scope', 'part', 'proposal']),
    columns: { scope: text, part: text, proposal: text },
  },
]

function named(
  kind: string,
  table: string,
  of: ArchiveTable['of'],
  key: readonly string[],
): Omit<StoredTable, 'columns' | 'since'> & { columns: Record<string, ColumnKind> } {
  return { kind, table, of, key, nullable: [], columns: {} }
}
