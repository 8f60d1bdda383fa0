import { BEGINNING, MARK } from '../../domain/sealed.ts'
import type { SqlDialect } from './dialect.ts'

type Name =
  | 'holdSession'
  | 'holdOrder'
  | 'describe'
  | 'noteOrder'
  | 'message'
  | 'amendment'
  | 'operation'
  | 'replaceMessage'
  | 'replaceAmendment'
  | 'replaceOperation'
  | 'needsMessage'
  | 'needsAmendment'
  | 'needsOperation'
  | 'blobs'
  | 'keysGone'

export type ResealStatements = Readonly<Record<Name, string>>

/** Where an owner is asked for, its values are those of `ownerOf`. */
export function resealStatements({ owned: { is }, forUpdate }: SqlDialect): ResealStatements {
  const text = `substr(body, 1, ${BEGINNING.length}) = '${BEGINNING}' AND substr(body, 1, ${BEGINNING.length + 32})`
  const mark = `substr(request, 1, ${MARK.length}) = ? AND substr(request, 1, ${MARK.length + 16})`
  return {
    // Whoever appends waits, and finds the key that the session has from now on.
    holdSession: `SELECT description AS "description", name AS "name" FROM sessions WHERE scope = ? AND key = ?${forUpdate}`,
    holdOrder: `SELECT body AS "body" FROM erasures WHERE id = ? AND scope = ? AND stage = 'keys'${forUpdate}`,
    describe: `UPDATE sessions SET description = ? WHERE scope = ? AND key = ?`,
    noteOrder: `UPDATE erasures SET body = ?, row_digest = NULL WHERE id = ? AND scope = ?`,

    message: `SELECT seq AS "place", seq AS "seq", version AS "version", NULL AS "kind", body AS "content" FROM messages
      WHERE ${is} AND seq > ? AND ${text} <> ? ORDER BY seq LIMIT ?`,
    amendment: `SELECT version AS "place", seq AS "seq", version AS "version", kind AS "kind", body AS "content" FROM amendments
      WHERE ${is} AND version > ? AND ${text} <> ? ORDER BY version LIMIT ?`,
    operation: `SELECT id AS "place", 0 AS "seq", 0 AS "version", NULL AS "kind", request AS "content" FROM operations
      WHERE ${is} AND id > ? AND ${mark} <> ? ORDER BY id LIMIT ?`,

    replaceMessage: `UPDATE messages SET body = ? WHERE ${is} AND seq = ? AND body = ?`,
    replaceAmendment: `UPDATE amendments SET body = ? WHERE ${is} AND version = ? AND body = ?`,
    replaceOperation: `UPDATE operations SET request = ?, row_digest = NULL WHERE ${is} AND id = ? AND request = ?`,

    needsMessage: `SELECT 1 AS "one" FROM messages WHERE ${is} AND ${text} = ? LIMIT 1`,
    needsAmendment: `SELECT 1 AS "one" FROM amendments WHERE ${is} AND ${text} = ? LIMIT 1`,
    needsOperation: `SELECT 1 AS "one" FROM operations WHERE ${is} AND ${mark} = ? LIMIT 1`,

    // No index knows which key a blob is sealed with: those of a scope are looked through, their beginnings only.
    blobs: `SELECT hash AS "hash" FROM blobs WHERE scope = ? AND substr(bytes, 1, ${MARK.length + 16}) = ? ORDER BY hash LIMIT ?`,
    keysGone: `UPDATE erasures SET stage = 'pages', body = ?, row_digest = NULL WHERE id = ? AND scope = ? AND stage = 'keys'`,
  }
}
