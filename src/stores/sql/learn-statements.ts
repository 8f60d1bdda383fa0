type Name = 'behind' | 'behindOne' | 'cursor' | 'moveCursor'

const behind = `SELECT s.key AS "key", s.scope AS "scope", s.name AS "session", s.version AS "version"
  FROM sessions s LEFT JOIN learn_cursors c ON c.session = s.key`
const isBehind = `(c.version IS NULL OR c.version < s.version)`

/** How far each session was learned from. */
export const learnStatements: Readonly<Record<Name, string>> = {
  behind: `${behind} WHERE s.key > ? AND s.key <= ? AND ${isBehind} ORDER BY s.key`,
  behindOne: `${behind} WHERE s.scope = ? AND s.name = ? AND ${isBehind}`,
  cursor: `SELECT version AS "version", seq AS "seq" FROM learn_cursors WHERE session = ?`,
  // A session that was forgotten meanwhile gets none.
  moveCursor: `INSERT INTO learn_cursors (session, version, seq)
    SELECT s.key, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM sessions s WHERE s.scope = ? AND s.key = ?
    ON CONFLICT (session) DO UPDATE SET version = excluded.version, seq = excluded.seq, row_digest = NULL`,
}
