/** A text is used again and again: when it was last used is written once a day. */
export const DAY_MS: number = 24 * 60 * 60 * 1_000

/** How many rows of each table one transaction deletes. More would keep writers waiting. */
export const EXPIRED_AT_ONCE = 200

const place = 'scope = ? AND session = ?'

type Name =
  | 'addContext'
  | 'addText'
  | 'list'
  | 'read'
  | 'text'
  | 'expireContexts'
  | 'expireTexts'
  | 'markForgotten'
  | 'forgetContexts'
  | 'forgetTexts'
  | 'forgetBorrowedContexts'
  | 'forgetBorrowedTexts'

/** A scope and what lies below it. `0` is the character after the slash. */
const within = `(scope = ? OR (scope > ? || '/' AND scope < ? || '0'))`

/** Contexts that were built, for a while. */
export const keptContextStatements: Readonly<Record<Name, string>> = {
  addContext: `INSERT INTO kept_contexts (scope, session, id, at, version, borrowed, head, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  addText: `INSERT INTO kept_texts (scope, session, hash, at, borrowed, body) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, session, hash) DO UPDATE SET at = excluded.at WHERE excluded.at - kept_texts.at > ${DAY_MS}`,
  list: `SELECT id AS "id", at AS "at", head AS "head" FROM kept_contexts WHERE ${place} AND id < ? AND at >= ?
    ORDER BY id DESC LIMIT ?`,
  read: `SELECT id AS "id", at AS "at", version AS "version", borrowed AS "borrowed", head AS "head", body AS "body"
    FROM kept_contexts WHERE ${place} AND id = ?`,
  text: `SELECT hash AS "hash", borrowed AS "borrowed", body AS "body" FROM kept_texts WHERE ${place} AND hash = ?`,
  expireContexts: `DELETE FROM kept_contexts WHERE (scope, session, id) IN
    (SELECT scope, session, id FROM kept_contexts WHERE at < ? ORDER BY at LIMIT ${EXPIRED_AT_ONCE})`,
  expireTexts: `DELETE FROM kept_texts WHERE (scope, session, hash) IN
    (SELECT scope, session, hash FROM kept_texts WHERE at < ? ORDER BY at LIMIT ${EXPIRED_AT_ONCE})`,
  markForgotten: `INSERT INTO kept_texts (scope, session, hash, at, borrowed, body) VALUES (?, '', '', ?, 0, ?)
    ON CONFLICT (scope, session, hash) DO UPDATE SET at = excluded.at, body = excluded.body`,
  forgetContexts: `DELETE FROM kept_contexts WHERE ${place}`,
  forgetTexts: `DELETE FROM kept_texts WHERE ${place}`,
  forgetBorrowedContexts: `DELETE FROM kept_contexts WHERE borrowed = 1 AND ${within}`,
  forgetBorrowedTexts: `DELETE FROM kept_texts WHERE borrowed = 1 AND ${within}`,
}
