const row = `p.term AS "term", p.part AS "part", p.highest AS "highest", p.lowest AS "lowest", p.hits AS "hits"`
/** A term is in the row that begins with it, or in the last one that begins before it. */
const has = `p.segment = g.key AND p.term = (SELECT MAX(q.term) FROM recall_postings q WHERE q.segment = g.key AND q.term <= ?)`

type Name =
  | 'addSegment'
  | 'segments'
  | 'aimSegment'
  | 'countSegment'
  | 'removeSegment'
  | 'addRow'
  | 'removeRow'
  | 'removeTerm'
  | 'removeBelow'
  | 'rowsFrom'
  | 'rowsOfTerm'
  | 'rowsBetween'
  | 'hits'

/** Statements about postings, which are in segments. See `posting-rows.ts` for what a row has. */
export const segmentStatements: Readonly<Record<Name, string>> = {
  addSegment: `INSERT INTO recall_segments (shelf, postings, target) VALUES (?, ?, 0)
    RETURNING key AS "key", (SELECT COUNT(*) FROM recall_segments g WHERE g.shelf = recall_segments.shelf) AS "others"`,
  segments: `SELECT key AS "key", postings AS "postings", target AS "target" FROM recall_segments WHERE shelf = ? ORDER BY key`,
  aimSegment: `UPDATE recall_segments SET target = ? WHERE key = ?`,
  countSegment: `UPDATE recall_segments SET postings = postings + ? WHERE key = ?`,
  removeSegment: `DELETE FROM recall_segments WHERE key = ?`,

  addRow: `INSERT INTO recall_postings (segment, term, part, highest, lowest, hits) VALUES (?, ?, ?, ?, ?, ?)`,
  removeRow: `DELETE FROM recall_postings WHERE segment = ? AND term = ? AND part = ?`,
  removeTerm: `DELETE FROM recall_postings WHERE segment = ? AND term = ?`,
  removeBelow: `DELETE FROM recall_postings WHERE segment = ? AND term < ?`,
  rowsFrom: `SELECT ${row} FROM recall_postings p WHERE p.segment = ? ORDER BY p.term, p.part LIMIT ?`,
  rowsOfTerm: `SELECT ${row} FROM recall_postings p WHERE p.segment = ? AND p.term = ? ORDER BY p.part`,
  rowsBetween: `SELECT ${row}, p.segment AS "segment" FROM recall_segments g JOIN recall_postings p ON ${has}
    WHERE g.shelf = ? AND p.highest >= ? AND p.lowest <= ?`,
  // One statement: between two, somebody may join segments.
  hits: `SELECT p.term AS "term", p.hits AS "hits" FROM recall_segments g JOIN recall_postings p ON ${has} AND p.part < ?
    WHERE g.shelf = (SELECT t.shelf FROM recall_terms t WHERE t.key = ?)`,
}
