import type { SqlDialect } from './dialect.ts'
import { STILL_KNOWN } from './migrations/0003-knowledge.ts'

const fact = `scope AS "scope", id AS "id", revision AS "revision", until AS "until", recorded_at AS "recordedAt",
  subject AS "subject", predicate AS "predicate", object_key AS "objectKey", object_entity AS "objectEntity",
  valid_from AS "validFrom", valid_to AS "validTo", standing AS "standing", trust AS "trust", learned_at AS "learnedAt",
  applied AS "applied", body AS "body"`

const entity = `scope AS "scope", key AS "key", revision AS "revision", until AS "until", body AS "body"`
const name = `scope AS "scope", name AS "name", entity AS "entity"`
const source = `fact AS "fact", evidence AS "evidence", source AS "source", trust AS "trust", body AS "body"`
const proposal = `id AS "id", kind AS "kind", status AS "status", created_at AS "createdAt", body AS "body"`

const now = `until = ${STILL_KNOWN}`
/** Takes the version twice. */
const past = `revision <= ? AND until > ?`

/** Now, or in a version. */
type Known = 'now' | 'past'
const known: Readonly<Record<Known, string>> = { now, past }

const selectors = {
  id: ' AND id = ?',
  subject: ' AND subject = ?',
  entity: ' AND object_entity = ?',
  predicate: ' AND predicate = ?',
  object: ' AND object_key = ?',
  all: '',
} as const

export type FactSelector = keyof typeof selectors | 'subjectAndPredicate'

/**
 * Facts of one scope in the order of their ids, oldest or newest first. Parameters: scope, what the selector takes, the version twice unless it is
 * now, bounds of standing, of trust, of validity, the id to begin after, the limit.
 */
export function selectFacts(selector: FactSelector, when: Known, newestFirst: boolean): string {
  const { where, id } = selectionOf(selector, when)
  return `SELECT ${fact} FROM facts WHERE scope = ?${where} AND ${known[when]}
    AND standing BETWEEN ? AND ? AND trust BETWEEN ? AND ? AND valid_from <= ? AND valid_to > ?
    AND ${id} ${newestFirst ? '<' : '>'} ? ORDER BY ${id}${newestFirst ? ' DESC' : ''} LIMIT ?`
}

/**
 * A subject and a predicate together are few, but SQLite would walk over all facts of the predicate to save the sorting. What
 * is known now has an index of both, which an order that no index has makes it use; what was known has one of subjects.
 */
function selectionOf(selector: FactSelector, when: Known): { readonly where: string; readonly id: string } {
  if (selector !== 'subjectAndPredicate') return { where: selectors[selector], id: 'id' }
  return when === 'now'
    ? { where: ' AND subject = ? AND predicate = ?', id: `(id || '')` }
    : { where: ` AND subject = ? AND (predicate || '') = ?`, id: 'id' }
}

type Versioned = 'sources' | 'sourceCount' | 'names' | 'namesOf' | 'entity' | 'entityPage'

/** Statements that read either what is known now or what was known in a version, which is then given twice after the rest. */
export const versionedStatements: Readonly<Record<Versioned, Readonly<Record<Known, string>>>> = {
  sources: both(
    (when) =>
      `SELECT ${source} FROM fact_sources WHERE scope = ? AND fact = ? AND ${when} ORDER BY revision DESC, evidence DESC, source DESC LIMIT ?`,
  ),
  sourceCount: both((when) => `SELECT COUNT(*) AS "count" FROM fact_sources WHERE scope = ? AND fact = ? AND ${when}`),
  names: both((when) => `SELECT ${name} FROM entity_names WHERE scope = ? AND name = ? AND ${when}`),
  namesOf: both((when) => `SELECT ${name} FROM entity_names WHERE scope = ? AND entity = ? AND ${when}`),
  entity: both((when) => `SELECT ${entity} FROM entities WHERE scope = ? AND key = ? AND ${when}`),
  entityPage: both(
    (when) => `SELECT ${entity} FROM entities WHERE scope = ? AND key > ? AND ${when} ORDER BY key LIMIT ?`,
  ),
}

function both(write: (when: string) => string): Readonly<Record<Known, string>> {
  return { now: write(now), past: write(past) }
}

type Name =
  | 'newestMark'
  | 'markByTime'
  | 'markByVersion'
  | 'changesBy'
  | 'renumberChanges'
  | 'insertMark'
  | 'slot'
  | 'slotOfObject'
  | 'factVersions'
  | 'insertFact'
  | 'endFact'
  | 'insertSource'
  | 'endSource'
  | 'taught'
  | 'taughtWithin'
  | 'taughtBelow'
  | 'disputedBelow'
  | 'insertName'
  | 'endName'
  | 'insertEntity'
  | 'endEntity'
  | 'predicates'
  | 'writePredicate'
  | 'proposal'
  | 'proposals'
  | 'proposalsOfStatus'
  | 'writeProposal'
  | 'insertProposalPart'
  | 'changed'
  | 'forgotten'
  | 'everAbout'
  | 'countVersions'
  | 'countSources'
  | 'countEntity'
  | 'proposalsWithPart'
  | 'deleteFact'
  | 'deleteSources'
  | 'deleteEntity'
  | 'deleteNames'
  | 'deleteProposal'
  | 'deleteProposalParts'
  | 'insertForgotten'

/** Every other statement about what is known, once for all databases. Parameters are `?` in order of appearance. */
export const knowledgeStatements: Readonly<Record<Name, string>> = {
  newestMark: `SELECT version AS "version", at AS "at" FROM knowledge_versions WHERE root = ? ORDER BY version DESC LIMIT 1`,
  markByTime: `SELECT version AS "version", at AS "at" FROM knowledge_versions WHERE root = ? AND at <= ? ORDER BY at DESC, version DESC LIMIT 1`,
  markByVersion: `SELECT version AS "version", at AS "at" FROM knowledge_versions WHERE root = ? AND version = ?`,
  // How many changes of a scope there were up to a version: the number of the last of them. Without the root, or SQLite would walk
  // over the versions of the root to find the scope.
  changesBy: `SELECT nth AS "count" FROM knowledge_versions WHERE scope = ? AND version <= ? ORDER BY version DESC LIMIT 1`,
  // The first parameter is the number before the first that is numbered.
  renumberChanges: `UPDATE knowledge_versions SET nth = ? + numbered.nth, row_digest = NULL
    FROM (SELECT root, version, ROW_NUMBER() OVER (ORDER BY version) AS nth FROM knowledge_versions
      WHERE scope = ? AND version > ?) AS numbered
    WHERE knowledge_versions.root = numbered.root AND knowledge_versions.version = numbered.version`,
  insertMark: `INSERT INTO knowledge_versions (root, version, scope, at, nth) VALUES (?, ?, ?, ?, ?)`,

  slot: `SELECT ${fact} FROM facts WHERE scope = ? AND subject = ? AND predicate = ? AND ${now} AND valid_to > ?`,
  slotOfObject: `SELECT ${fact} FROM facts WHERE scope = ? AND subject = ? AND predicate = ? AND object_key = ? AND ${now} AND valid_to > ?
    ORDER BY valid_to DESC LIMIT ?`,
  factVersions: `SELECT ${fact} FROM facts WHERE scope = ? AND id = ? ORDER BY revision DESC LIMIT ?`,
  insertFact: `INSERT INTO facts (scope, id, revision, until, recorded_at, subject, predicate, object_key, object_entity,
      valid_from, valid_to, standing, trust, learned_at, applied, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  endFact: `UPDATE facts SET until = ?, row_digest = NULL WHERE scope = ? AND id = ? AND ${now}`,

  insertSource: `INSERT INTO fact_sources (scope, fact, evidence, source, revision, until, trust, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  endSource: `UPDATE fact_sources SET until = ?, row_digest = NULL WHERE scope = ? AND fact = ? AND evidence = ? AND ${now}`,
  taught: `SELECT fact AS "fact", evidence AS "evidence", source AS "source" FROM fact_sources WHERE scope = ? AND source = ? AND ${now}`,

  taughtWithin: `SELECT fact AS "fact", evidence AS "evidence", source AS "source" FROM fact_sources WHERE scope = ? AND source >= ? AND source < ? AND ${now}`,

  // Paths below another begin with it and a slash; `0` is the character after the slash.
  taughtBelow: `SELECT DISTINCT scope AS "scope" FROM fact_sources WHERE scope > ? || '/' AND scope < ? || '0' AND source = ? AND ${now}
    ORDER BY scope`,
  disputedBelow: `SELECT DISTINCT scope AS "scope" FROM facts WHERE scope > ? || '/' AND scope < ? || '0' AND predicate = ?
    AND standing = 'disputed' AND ${now} ORDER BY scope`,

  insertName: `INSERT INTO entity_names (scope, name, revision, until, entity) VALUES (?, ?, ?, ?, ?)`,
  endName: `UPDATE entity_names SET until = ?, row_digest = NULL WHERE scope = ? AND name = ? AND ${now}`,
  insertEntity: `INSERT INTO entities (scope, key, revision, until, body) VALUES (?, ?, ?, ?, ?)`,
  endEntity: `UPDATE entities SET until = ?, row_digest = NULL WHERE scope = ? AND key = ? AND ${now}`,

  predicates: `SELECT scope AS "scope", name AS "name", single AS "single" FROM predicates WHERE scope = ? ORDER BY name`,
  writePredicate: `INSERT INTO predicates (scope, name, single) VALUES (?, ?, ?)
    ON CONFLICT (scope, name) DO UPDATE SET single = excluded.single, row_digest = NULL`,

  proposal: `SELECT ${proposal} FROM proposals WHERE scope = ? AND id = ?`,
  proposals: `SELECT ${proposal} FROM proposals WHERE scope = ? AND id > ? ORDER BY id LIMIT ?`,
  proposalsOfStatus: `SELECT ${proposal} FROM proposals WHERE scope = ? AND id > ? AND status = ? ORDER BY id LIMIT ?`,
  writeProposal: `INSERT INTO proposals (scope, id, kind, status, created_at, body) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, id) DO UPDATE SET status = excluded.status, body = excluded.body, row_digest = NULL`,
  insertProposalPart: `INSERT INTO proposal_parts (scope, part, proposal) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,

  // `+until`, so that the index by revision is used: the partial one would have to be sorted.
  changed: `SELECT ${fact} FROM facts WHERE scope = ? AND (revision, id) > (?, ?) AND +until = ${STILL_KNOWN} ORDER BY revision, id LIMIT ?`,
  forgotten: `SELECT fact AS "fact", version AS "version" FROM facts_forgotten WHERE scope = ? AND (version, fact) > (?, ?)
    ORDER BY version, fact LIMIT ?`,

  everAbout: `SELECT id AS "id" FROM facts WHERE scope = ? AND subject = ?
    UNION SELECT id AS "id" FROM facts WHERE scope = ? AND object_entity = ?`,
  countVersions: `SELECT COUNT(*) AS "count" FROM facts WHERE scope = ? AND id = ?`,
  countSources: `SELECT COUNT(*) AS "count" FROM fact_sources WHERE scope = ? AND fact = ?`,
  countEntity: `SELECT COUNT(*) AS "count" FROM entities WHERE scope = ? AND key = ? AND ${now}`,
  proposalsWithPart: `SELECT proposal AS "proposal" FROM proposal_parts WHERE scope = ? AND part = ?`,
  deleteFact: `DELETE FROM facts WHERE scope = ? AND id = ?`,
  deleteSources: `DELETE FROM fact_sources WHERE scope = ? AND fact = ?`,
  deleteEntity: `DELETE FROM entities WHERE scope = ? AND key = ?`,
  deleteNames: `DELETE FROM entity_names WHERE scope = ? AND entity = ?`,
  deleteProposal: `DELETE FROM proposals WHERE scope = ? AND id = ?`,
  deleteProposalParts: `DELETE FROM proposal_parts WHERE scope = ? AND proposal = ?`,
  insertForgotten: `INSERT INTO facts_forgotten (scope, version, fact) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
}

/** Messages of a scope by their id, in whatever session. Parameters: scope, id. */
export function messagesOfId({ name: database }: SqlDialect): string {
  // Where rows carry their session's scope it stands in front of their keys.
  const owner = database === 'postgres' ? 'm.scope = s.scope AND ' : ''
  return `SELECT s.scope AS "scope", s.name AS "session", m.role AS "role", m.body AS "body" FROM sessions s
    JOIN messages m ON ${owner}m.session = s.key WHERE s.scope = ? AND m.id = ?`
}
