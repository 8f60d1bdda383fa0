import { LISTED_KEYS_MAX } from '../../ports/log-store.ts'
import type { SqlDialect } from './dialect.ts'

export const sessionColumns = `
  s.key AS "key", s.scope AS "scope", s.name AS "name", s.description AS "description", s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  s.last_seq AS "lastSeq", s.version AS "version", s.genesis AS "genesis", s.head AS "head",
  s.parent_key AS "parentKey", s.parent_seq AS "parentSeq", s.parent_version AS "parentVersion", s.parent_link AS "parentLink",
  (SELECT p.name FROM sessions p WHERE p.scope = s.scope AND p.key = s.parent_key) AS "parentName"`

const messageColumns = `seq AS "seq", version AS "version", id AS "id", role AS "role", at AS "at", recorded_at AS "recordedAt",
  tokens AS "tokens", counter AS "counter", salt AS "salt", digest AS "digest", chain AS "chain", body AS "body"`

const amendmentColumns = `version AS "version", kind AS "kind", seq AS "seq", recorded_at AS "recordedAt",
  tokens AS "tokens", counter AS "counter", salt AS "salt", digest AS "digest", chain AS "chain", body AS "body"`

const sessionNumbers = `key AS "key", name AS "name", created_at AS "createdAt", updated_at AS "updatedAt", version AS "version",
  last_seq AS "lastSeq"`

type Name =
  | 'session'
  | 'end'
  | 'sessionByKey'
  | 'sessionsOfScope'
  | 'sessionsByChange'
  | 'changedSessions'
  | 'newestSessions'
  | 'lastChange'
  | 'countForgotten'
  | 'sessionsOfAll'
  | 'blob'
  | 'wasForgotten'

/** Reads of what does not hang on a session, the same for all databases. Parameters are `?` in order of appearance. */
export const logStatements: Readonly<Record<Name, string>> = {
  session: `SELECT ${sessionColumns} FROM sessions s WHERE s.scope = ? AND s.name = ?`,
  end: `SELECT key AS "key", last_seq AS "lastSeq" FROM sessions WHERE scope = ? AND name = ?`,
  sessionByKey: `SELECT ${sessionColumns} FROM sessions s WHERE s.scope = ? AND s.key = ?`,
  sessionsOfScope: `SELECT ${sessionColumns} FROM sessions s WHERE s.scope = ? AND s.key < ? ORDER BY s.key DESC LIMIT ?`,
  // Without an index: it would be written with every message, and a scope has thousands of sessions rather than millions.
  sessionsByChange: `SELECT ${sessionColumns} FROM sessions s WHERE s.scope = ? AND (s.updated_at < ? OR (s.updated_at = ? AND s.key < ?))
    ORDER BY s.updated_at DESC, s.key DESC LIMIT ?`,
  changedSessions: `SELECT ${sessionNumbers} FROM sessions WHERE scope = ? AND (updated_at >= ? OR key > ?
    OR key IN (${Array.from({ length: LISTED_KEYS_MAX }, () => '?').join(', ')}))`,
  newestSessions: `SELECT ${sessionNumbers} FROM sessions WHERE scope = ? ORDER BY key DESC LIMIT ?`,
  lastChange: `SELECT max(updated_at) AS "at" FROM sessions WHERE scope = ?`,
  countForgotten: `SELECT count(*) AS "count" FROM forgotten_sessions WHERE scope = ?`,
  sessionsOfAll: `SELECT ${sessionColumns} FROM sessions s WHERE s.key < ? ORDER BY s.key DESC LIMIT ?`,
  blob: `SELECT hash AS "hash", bytes AS "bytes" FROM blobs WHERE scope = ? AND hash = ?`,
  wasForgotten: `SELECT 1 AS "one" FROM forgotten_names WHERE scope = ? AND name = ?`,
}

type ReadName =
  | 'messagesUp'
  | 'messagesDown'
  | 'systemUp'
  | 'systemDown'
  | 'messageById'
  | 'amendmentsOfMessages'
  | 'amendmentsOfWindow'
  | 'amendmentsOfSession'
  | 'clears'
  | 'lastMessageByTime'
  | 'lastMessageByVersion'
  | 'lastAmendmentByTime'
  | 'lastAmendmentByVersion'

/** Reads of what hangs on a session. The values for its owner come first, from `ownerOf`. */
export function logReads({ integer, owned: { is } }: SqlDialect): Readonly<Record<ReadName, string>> {
  // Times and versions rise with the place, so a few rows tell: the database halves the stretch by itself. `low` passes, or is
  // the place before the first; the stretch's ends come first, then the owner and the bound. It ends at a row that is missing,
  // since nothing tells on which side of it to go on.
  const lastMessage = (
    column: string,
  ): string => `SELECT found.seq AS "seq", found.version AS "version", found.hole AS "hole" FROM (
    WITH RECURSIVE search (low, high, hole) AS (
      SELECT CAST(? AS ${integer}) - 1, CAST(? AS ${integer}), CAST(NULL AS ${integer})
      UNION ALL
      SELECT CASE WHEN m.${column} <= ? THEN (low + high + 1) / 2 ELSE low END,
        CASE WHEN m.${column} <= ? THEN high ELSE (low + high + 1) / 2 - 1 END,
        CASE WHEN m.seq IS NULL THEN (low + high + 1) / 2 END
      FROM search LEFT JOIN messages m ON ${is} AND m.seq = (low + high + 1) / 2 WHERE low < high AND hole IS NULL
    )
    SELECT m.seq, m.version, hole FROM search LEFT JOIN messages m ON ${is} AND m.seq = low WHERE low = high OR hole IS NOT NULL
  ) AS found`
  const lastAmendment = (column: string): string =>
    `SELECT version AS "version" FROM amendments WHERE ${is} AND version <= ? AND ${column} <= ? ORDER BY version DESC LIMIT 1`
  return {
    lastMessageByTime: lastMessage('recorded_at'),
    lastMessageByVersion: lastMessage('version'),
    lastAmendmentByTime: lastAmendment('recorded_at'),
    lastAmendmentByVersion: lastAmendment('version'),
    messagesUp: `SELECT ${messageColumns} FROM messages WHERE ${is} AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?`,
    messagesDown: `SELECT ${messageColumns} FROM messages WHERE ${is} AND seq BETWEEN ? AND ? ORDER BY seq DESC LIMIT ?`,
    // The role as a literal, so that the partial index of system messages is used.
    systemUp: `SELECT ${messageColumns} FROM messages WHERE ${is} AND seq BETWEEN ? AND ? AND role = 'system' ORDER BY seq LIMIT ?`,
    systemDown: `SELECT ${messageColumns} FROM messages WHERE ${is} AND seq BETWEEN ? AND ? AND role = 'system' ORDER BY seq DESC LIMIT ?`,
    messageById: `SELECT ${messageColumns} FROM messages WHERE ${is} AND id = ?`,
    // `+version` and no order, so that the indexes by seq are used: by version, SQLite would walk over every compaction that the
    // session ever had. The store sorts the few rows that there are.
    amendmentsOfMessages: `SELECT ${amendmentColumns} FROM amendments
        WHERE ${is} AND seq BETWEEN ? AND ? AND +version <= ? AND kind NOT IN ('compact', 'undo')
      UNION ALL SELECT ${amendmentColumns} FROM amendments
        WHERE ${is} AND seq > ? AND +version <= ? AND kind NOT IN ('revise', 'remove', 'compact', 'undo') AND kind <> 'forget'`,
    amendmentsOfWindow: `SELECT ${amendmentColumns} FROM amendments
      WHERE ${is} AND version <= ? AND kind IN ('compact', 'undo') ORDER BY version DESC LIMIT ?`,
    // In the words of the partial index: whatever damage made of a clear is found too.
    clears: `SELECT ${amendmentColumns} FROM amendments WHERE ${is} AND +version <= ?
      AND kind NOT IN ('revise', 'remove', 'compact', 'undo') AND kind <> 'forget' ORDER BY seq DESC LIMIT ?`,
    amendmentsOfSession: `SELECT ${amendmentColumns} FROM amendments
      WHERE ${is} AND version > ? AND version <= ? ORDER BY version LIMIT ?`,
  }
}

type WriteName =
  | 'insertSession'
  | 'updateSession'
  | 'insertMessage'
  | 'insertAmendment'
  | 'links'
  | 'insertLink'
  | 'operation'
  | 'insertOperation'
  | 'hasBlob'
  | 'insertBlob'

/** What a change of the log writes, and reads for itself only. The values for the owner of a row come first, from `ownerValues`. */
export function logWrites({ owned: { is, key }, blobs }: SqlDialect): Readonly<Record<WriteName, string>> {
  const insert = (table: string, columns: string): string => {
    const all = `${key}${columns}`
    return `INSERT INTO ${table} (${all}) VALUES (${all.replaceAll(/\w+/g, '?')})`
  }
  return {
    // On a server, another process may create the same session first.
    insertSession: `INSERT INTO sessions
      (scope, name, description, created_at, updated_at, last_seq, version, genesis, head, parent_key, parent_seq, parent_version, parent_link)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (scope, name) DO NOTHING RETURNING scope AS "scope", name AS "name", key AS "key"`,
    updateSession: `UPDATE sessions SET updated_at = ?, last_seq = ?, version = ?, head = ? WHERE scope = ? AND key = ?`,
    insertMessage: insert(
      'messages',
      'session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body',
    ),
    insertAmendment: insert(
      'amendments',
      'session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body',
    ),
    links: `SELECT seq AS "seq", kind AS "kind" FROM tool_links WHERE ${is} AND call_id = ? AND seq <= ? ORDER BY seq, kind`,
    insertLink: `${insert('tool_links', 'session, call_id, seq, kind')} ON CONFLICT DO NOTHING`,
    operation: `SELECT id AS "id", request AS "request", seqs AS "seqs" FROM operations WHERE ${is} AND id = ?`,
    insertOperation: insert('operations', 'session, id, request, seqs'),
    hasBlob: `SELECT 1 AS "one" FROM blobs WHERE scope = ? AND hash = ?${blobs.forShare}`,
    insertBlob: `INSERT INTO blobs (scope, hash, bytes) VALUES (?, ?, ?) ON CONFLICT (scope, hash) ${blobs.onConflict}`,
  }
}

/** The values that pick the rows of a session. */
export function ownerValues(
  { owned }: SqlDialect,
  { scope, key }: { readonly scope: string; readonly key: number },
): readonly unknown[] {
  return owned.scope === '' ? [key] : [scope, key]
}
