const KEY = `id AS "id", name AS "name", scope AS "scope", can AS "can", hash AS "hash", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`
const AUDIT = `number AS "number", at AS "at", key_id AS "keyId", action AS "action", scope AS "scope", status AS "status",
  ids AS "ids", digest AS "digest", chain AS "chain"`

type Name =
  | 'addKey'
  | 'keyById'
  | 'keys'
  | 'updateKey'
  | 'addAudit'
  | 'audit'
  | 'lastAudit'
  | 'answer'
  | 'keepAnswer'
  | 'dropAnswers'
  | 'dropAnswer'

export const accessStatements: Readonly<Record<Name, string>> = {
  addKey: `INSERT INTO access_keys (id, name, scope, can, hash, created_at, expires_at, revoked_at, last_used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  keyById: `SELECT ${KEY} FROM access_keys WHERE id = ?`,
  keys: `SELECT ${KEY} FROM access_keys ORDER BY created_at, id`,
  updateKey: `UPDATE access_keys SET revoked_at = ?, last_used_at = ?, row_digest = NULL WHERE id = ?`,
  addAudit: `INSERT INTO audit (number, at, key_id, action, scope, status, ids, digest, chain)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  audit: `SELECT ${AUDIT} FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?`,
  lastAudit: `SELECT ${AUDIT} FROM audit ORDER BY number DESC LIMIT 1`,
  answer: `SELECT name AS "name", request AS "request", status AS "status", body AS "body", at AS "at"
    FROM answers WHERE name = ?`,
  keepAnswer: `INSERT INTO answers (name, request, status, body, at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET request = excluded.request, status = excluded.status, body = excluded.body, at = excluded.at,
    row_digest = NULL`,
  dropAnswers: `DELETE FROM answers WHERE at < ?`,
  dropAnswer: `DELETE FROM answers WHERE name = ?`,
}
