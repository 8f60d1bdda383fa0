import { amendmentColumns, messageColumns, sessionColumns } from '../sql/log-statements.ts'

/** The log's statements for many changes at once: each value is a list, and the lists are one row each side by side. */
type Name =
  | 'lockSessions'
  | 'holdSessions'
  | 'ancestors'
  | 'messagesById'
  | 'messagesBySeq'
  | 'amendments'
  | 'links'
  | 'operations'
  | 'blobs'
  | 'forgotten'
  | 'insertSessions'
  | 'updateSessions'
  | 'insertMessages'
  | 'insertAmendments'
  | 'insertLinks'
  | 'insertOperations'
  | 'insertBlobs'

const wanted = 'unnest(?::text[], ?::text[]) AS w (scope, name)'
const owner = 'm.scope = w.scope AND m.session = w.session'
const qualified = (columns: string): string => columns.replaceAll(/\b([a-z_]+) AS "/g, 'm.$1 AS "')

export const batchStatements: Readonly<Record<Name, string>> = {
  // In the order of their keys, whoever asks: two batches never wait for each other in a circle. Rows that others change
  // meanwhile are read again once they are free.
  lockSessions: `SELECT ${sessionColumns} FROM sessions s JOIN ${wanted} ON s.scope = w.scope AND s.name = w.name
    ORDER BY s.key FOR NO KEY UPDATE OF s`,
  // Locks those that are as they were left, by the last link of their chain; if one is not, fails (a division by zero is the
  // one way to fail that plain SQL has), and with it all that follows in the transaction.
  holdSessions: `WITH held AS MATERIALIZED (SELECT s.key FROM sessions s
      JOIN unnest(?::text[], ?::bigint[], ?::bigint[], ?::bytea[], ?::text[]) AS w (scope, key, version, head, description)
        ON s.scope = w.scope AND s.key = w.key AND s.version = w.version AND s.head = w.head AND s.description = w.description
      ORDER BY s.key FOR NO KEY UPDATE OF s)
    SELECT 1 / (count(*) = ?::bigint)::int AS "held" FROM held`,
  // UNION and not UNION ALL: ancestors that go in a circle end.
  ancestors: `WITH RECURSIVE line (scope, key, parent_key) AS (
      SELECT s.scope, s.key, s.parent_key FROM sessions s
        JOIN unnest(?::text[], ?::bigint[]) AS w (scope, key) ON s.scope = w.scope AND s.key = w.key
      UNION
      SELECT p.scope, p.key, p.parent_key FROM line JOIN sessions p ON p.scope = line.scope AND p.key = line.parent_key
    ) SELECT ${sessionColumns} FROM sessions s JOIN line ON s.scope = line.scope AND s.key = line.key`,
  messagesById: `SELECT w.place AS "place", ${qualified(messageColumns)} FROM messages m
    JOIN unnest(?::bigint[], ?::text[], ?::bigint[], ?::text[]) AS w (place, scope, session, id) ON ${owner} AND m.id = w.id`,
  messagesBySeq: `SELECT w.place AS "place", ${qualified(messageColumns)} FROM messages m
    JOIN unnest(?::bigint[], ?::text[], ?::bigint[], ?::bigint[]) AS w (place, scope, session, seq) ON ${owner} AND m.seq = w.seq`,
  amendments: `SELECT w.place AS "place", ${qualified(amendmentColumns)} FROM amendments m
    JOIN unnest(?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[]) AS w (place, scope, session, seq, version)
      ON ${owner} AND m.version <= w.version AND m.seq >= w.seq AND m.kind NOT IN ('compact', 'undo')
        AND (m.seq = w.seq OR m.kind NOT IN ('revise', 'remove', 'forget'))
    ORDER BY m.version`,
  links: `SELECT w.place AS "place", m.seq AS "seq", m.kind AS "kind" FROM tool_links m
    JOIN unnest(?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::bigint[]) AS w (place, scope, session, call_id, through)
      ON ${owner} AND m.call_id = w.call_id AND m.seq <= w.through ORDER BY w.place, m.seq, m.kind`,
  operations: `SELECT w.place AS "place", m.id AS "id", m.request AS "request", m.seqs AS "seqs" FROM operations m
    JOIN unnest(?::bigint[], ?::text[], ?::bigint[], ?::text[]) AS w (place, scope, session, id) ON ${owner} AND m.id = w.id`,
  // Held until the commit: who forgets the last message that shows a blob waits, and finds the one that is stored now.
  blobs: `SELECT b.scope AS "scope", b.hash AS "hash" FROM blobs b
    JOIN unnest(?::text[], ?::text[]) AS w (scope, hash) ON b.scope = w.scope AND b.hash = w.hash FOR KEY SHARE OF b`,

  forgotten: `SELECT f.scope AS "scope", f.name AS "hash" FROM forgotten_names f
    JOIN unnest(?::text[], ?::text[]) AS w (scope, name) ON f.scope = w.scope AND f.name = w.name`,

  // Somebody else may be making the same session: then it is theirs, and the batch begins again and finds it.
  insertSessions: `INSERT INTO sessions (scope, name, description, created_at, updated_at, last_seq, version, genesis, head,
      parent_key, parent_seq, parent_version, parent_link)
    SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[],
      ?::bytea[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
    ON CONFLICT (scope, name) DO NOTHING RETURNING scope AS "scope", name AS "name", key AS "key"`,
  updateSessions: `UPDATE sessions s SET updated_at = w.updated_at, last_seq = w.last_seq, version = w.version, head = w.head
    FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
      AS w (scope, key, updated_at, last_seq, version, head)
    WHERE s.scope = w.scope AND s.key = w.key`,
  insertMessages: `INSERT INTO messages
      (scope, session, seq, version, id, role, at, recorded_at, tokens, counter, salt, digest, chain, body)
    SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[],
      ?::bigint[], ?::text[], ?::bytea[], ?::bytea[], ?::bytea[], ?::text[])`,
  insertAmendments: `INSERT INTO amendments
      (scope, session, version, kind, seq, recorded_at, tokens, counter, salt, digest, chain, body)
    SELECT * FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[],
      ?::bytea[], ?::bytea[], ?::bytea[], ?::text[])`,
  insertLinks: `INSERT INTO tool_links (scope, session, call_id, seq, kind)
    SELECT * FROM unnest(?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::text[]) ON CONFLICT DO NOTHING`,
  insertOperations: `INSERT INTO operations (scope, session, id, request, seqs)
    SELECT * FROM unnest(?::text[], ?::bigint[], ?::text[], ?::bytea[], ?::text[])`,
  // One that somebody else has just stored is held as those that were found are. In their order, so that two never wait in a circle.
  insertBlobs: `INSERT INTO blobs (scope, hash, bytes)
    SELECT DISTINCT ON (w.scope, w.hash) * FROM unnest(?::text[], ?::text[], ?::bytea[]) AS w (scope, hash, bytes)
    ON CONFLICT (scope, hash) DO UPDATE SET hash = excluded.hash`,
}
