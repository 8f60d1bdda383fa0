import type { SqlDialect } from './dialect.ts'

/** Rows of a scope and of what lies below it. `0` is the character after the slash. */
const within = `(scope = ? OR (scope > ? || '/' AND scope < ? || '0'))`

type Name =
  | 'forks'
  | 'taughtBy'
  | 'taughtByAll'
  | 'entitiesOf'
  | 'factLeft'
  | 'begin'
  | 'unfinished'
  | 'holdSession'
  | 'stage'
  | 'contentGone'
  | 'answersGone'
  | 'finish'
  | 'newestFold'
  | 'newestForgetting'
  | 'ownMessages'
  | 'ownRevisions'
  | 'messageAt'
  | 'revisionsAt'
  | 'blankMessage'
  | 'blankRevisions'
  | 'rewriteAmendment'
  | 'addAmendment'
  | 'moveSession'
  | 'describeSession'
  | 'operations'
  | 'deleteOperation'
  | 'deleteLinks'
  | 'addName'
  | 'allPassages'
  | 'deleteThread'
  | 'thread'
  | 'addThread'
  | 'disturbThread'
  | 'wordsOfThread'
  | 'unpostThread'
  | 'deleteVectors'
  | 'scrubJobs'
  | 'scrubErrors'
  | 'deleteJobs'
  | 'blankAnswers'
  | 'blankSecrets'
  | 'evidenceOf'
  | 'evidenceOfAll'
  | 'deleteEvidence'
  | 'speaksOf'
  | 'deleteEntity'
  | 'deleteNames'
  | 'holdBlob'
  | 'blobsUsed'
  | 'deleteBlob'
  | 'addTombstone'
  | 'deleteSession'

export type ErasureStatements = Readonly<Record<Name, string>>

/** Where an owner is asked for, its values are those of `ownerOf`. */
export function erasureStatements({ owned, blobsShown, forUpdate }: SqlDialect): ErasureStatements {
  const { is, key } = owned
  const marks = key === '' ? '?' : '?, ?'
  /** Its rows are found by scope and session where their keys begin with it. */
  const same = (table: string): string => (key === '' ? '' : ` AND ${table}.scope = s.scope`)
  return {
    forks: `SELECT key AS "key", name AS "name", parent_seq AS "throughSeq" FROM sessions WHERE ${key === '' ? '' : 'scope = ? AND '}parent_key = ? ORDER BY key`,
    taughtBy: `SELECT DISTINCT scope AS "scope", fact AS "id", source AS "source" FROM fact_sources WHERE source = ? AND ${within}`,
    taughtByAll: `SELECT DISTINCT scope AS "scope", fact AS "id", source AS "source" FROM fact_sources WHERE source >= ? AND source < ? AND ${within}`,
    entitiesOf: `SELECT DISTINCT subject AS "subject", object_entity AS "objectEntity" FROM facts WHERE scope = ? AND id = ?`,

    factLeft: `SELECT 1 AS "one" FROM facts WHERE scope = ? AND id = ? LIMIT 1`,

    begin: `INSERT INTO erasures (id, scope, stage, body, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    unfinished: `SELECT id AS "id", scope AS "scope", stage AS "stage", body AS "body", at AS "at" FROM erasures ORDER BY id`,
    stage: `SELECT stage AS "stage", body AS "body" FROM erasures WHERE id = ?${forUpdate}`,
    contentGone: `UPDATE erasures SET stage = 'answers', body = ?, row_digest = NULL WHERE id = ?`,
    answersGone: `UPDATE erasures SET stage = ?, row_digest = NULL WHERE id = ? AND stage = 'answers'`,
    finish: `DELETE FROM erasures WHERE id = ?`,

    // Whoever appends waits, and finds what is left.
    holdSession: `SELECT key AS "key" FROM sessions WHERE scope = ? AND key = ?${forUpdate}`,
    newestFold: `SELECT COALESCE(MAX(version), 0) AS "count" FROM amendments WHERE ${is}
      AND kind IN ('compact', 'undo') AND kind = 'compact'`,
    newestForgetting: `SELECT COALESCE(MAX(version), 0) AS "count" FROM amendments WHERE ${is}
      AND kind NOT IN ('revise', 'remove', 'compact', 'undo') AND kind = 'forget'`,
    ownMessages: `SELECT seq AS "seq", id AS "id", body AS "body" FROM messages WHERE ${is} ORDER BY seq`,
    ownRevisions: `SELECT kind AS "kind", body AS "body" FROM amendments WHERE ${is}`,
    messageAt: `SELECT seq AS "seq", id AS "id", body AS "body" FROM messages WHERE ${is} AND seq = ? AND length(salt) > 0`,
    revisionsAt: `SELECT kind AS "kind", body AS "body" FROM amendments WHERE ${is} AND seq = ? AND kind = 'revise' AND length(salt) > 0`,
    // An id of its own, because ids are unique; the role stays, because system messages have an index.
    blankMessage: `UPDATE messages SET id = ?, at = recorded_at, tokens = 0, counter = '', salt = ?, body = '' WHERE ${is} AND seq = ?`,
    blankRevisions: `UPDATE amendments SET tokens = 0, counter = '', salt = ?, body = '' WHERE ${is} AND seq = ? AND kind = 'revise'`,
    rewriteAmendment: `UPDATE amendments SET body = ?, salt = ? WHERE ${is} AND version = ?`,
    addAmendment: `INSERT INTO amendments (${key}session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body)
      VALUES (${marks}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    moveSession: `UPDATE sessions SET updated_at = ?, last_seq = ?, version = ?, head = ? WHERE scope = ? AND key = ?`,
    describeSession: `UPDATE sessions SET description = ? WHERE scope = ? AND key = ?`,
    operations: `SELECT id AS "id", seqs AS "seqs" FROM operations WHERE ${is}`,
    deleteOperation: `DELETE FROM operations WHERE ${is} AND id = ?`,
    deleteLinks: `DELETE FROM tool_links WHERE ${is} AND seq = ?`,
    addName: `INSERT INTO forgotten_names (scope, name) VALUES (?, ?) ON CONFLICT DO NOTHING`,

    allPassages: `SELECT thread AS "thread", place AS "place", shelf AS "shelf", reference AS "reference", speaker AS "speaker",
      role AS "role", at AS "at", length AS "length", cues AS "cues", terms AS "terms" FROM recall_passages WHERE thread = ?`,
    deleteThread: `DELETE FROM recall_threads WHERE thread = ?`,
    thread: `SELECT version AS "version", seq AS "seq" FROM recall_threads WHERE thread = ?`,
    addThread: `INSERT INTO recall_threads (thread, shelf, version, seq, words) VALUES (?, ?, 0, 0, 0)`,
    // Whoever is posting this thread now begins again, without what was forgotten. How far it is posted stays as it is: from
    // further back, what is there would be posted twice.
    disturbThread: `UPDATE recall_threads SET disturbed = disturbed + 1 WHERE thread = ?`,
    wordsOfThread: `UPDATE recall_threads SET words = words - ?, disturbed = disturbed + 1 WHERE thread = ?`,
    unpostThread: `DELETE FROM recall_posted WHERE shelf = ? AND passage >= ? AND passage < ?`,
    deleteVectors: `DELETE FROM vectors WHERE vector_set IN (SELECT key FROM vector_sets WHERE scope = ?) AND passage >= ? AND passage < ?`,

    scrubJobs: `UPDATE jobs SET error = NULL, result = 'null', payload = 'null' WHERE scope = ? AND subject = ?
      AND (error IS NOT NULL OR result <> 'null' OR payload <> 'null')`,
    // Of work that is about a whole scope: somebody else's error may quote what it was given.
    scrubErrors: `UPDATE jobs SET error = NULL WHERE scope = ? AND error IS NOT NULL AND kind NOT IN ('forget', 'retention')`,
    deleteJobs: `DELETE FROM jobs WHERE scope = ? AND subject = ?`,
    // Not deleted: a retry would do again what was done, and bring back what was forgotten.
    blankAnswers: `UPDATE answers SET body = '', request = '', row_digest = NULL WHERE status > 0 AND body <> '' AND request <> ''`,
    // The secret of digests is what has no request.
    blankSecrets: `UPDATE answers SET body = '', row_digest = NULL WHERE status > 0 AND body <> ''`,

    evidenceOf: `SELECT DISTINCT scope AS "scope", fact AS "fact", evidence AS "evidence" FROM fact_sources WHERE source = ? AND ${within}`,
    evidenceOfAll: `SELECT DISTINCT scope AS "scope", fact AS "fact", evidence AS "evidence" FROM fact_sources
      WHERE source >= ? AND source < ? AND ${within}`,
    deleteEvidence: `DELETE FROM fact_sources WHERE scope = ? AND fact = ? AND evidence = ?`,
    // Of the scope and deeper: those below may speak of what is known above.
    speaksOf: `SELECT 1 AS "one" FROM facts WHERE ${within} AND (subject = ? OR object_entity = ?) LIMIT 1`,
    deleteEntity: `DELETE FROM entities WHERE scope = ? AND key = ?`,
    deleteNames: `DELETE FROM entity_names WHERE scope = ? AND entity = ?`,

    // Whoever stores a message with the same blob waits, finds it gone and brings it again.
    holdBlob: `SELECT length(bytes) AS "count" FROM blobs WHERE scope = ? AND hash = ?${forUpdate}`,
    // No index knows who uses a blob: the bodies of the scope are looked through, once for all blobs that forgotten messages had.
    blobsUsed: `SELECT ${blobsShown.list('used.shown')} AS "hashes" FROM (
      SELECT ${blobsShown.each('m.body')} AS shown FROM sessions s JOIN messages m ON m.session = s.key
        WHERE s.scope = ?${same('m')} AND m.body LIKE '%"hash":"%'
      UNION ALL SELECT ${blobsShown.each('a.body')} FROM sessions s JOIN amendments a ON a.session = s.key
        WHERE s.scope = ?${same('a')} AND a.body LIKE '%"hash":"%') AS used`,
    deleteBlob: `DELETE FROM blobs WHERE scope = ? AND hash = ?`,

    addTombstone: `INSERT INTO forgotten_sessions (session, scope, last_seq, head, at, reason) VALUES (?, ?, ?, ?, ?, ?)`,
    deleteSession: `DELETE FROM sessions WHERE scope = ? AND key = ?`,
  }
}

/** Everything that is kept by session, in the order in which it can go. A new table of that kind belongs here. */
export function tablesOfSession({ owned: { is } }: SqlDialect): readonly string[] {
  return ['operations', 'tool_links', 'amendments', 'messages'].map((table) => `DELETE FROM ${table} WHERE ${is}`)
}

/** The same, by the key of the session alone. */
export const deleteCursor = `DELETE FROM learn_cursors WHERE session = ?`
