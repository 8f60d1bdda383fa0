const generation = `key AS "key", model AS "model", dimensions AS "dimensions", rank AS "rank"`

const set = `s.key AS "key", s.scope AS "scope", s.through AS "through", s.last AS "last", s.removals AS "removals",
  s.complete AS "complete", g.key AS "generation", g.model AS "model", g.dimensions AS "dimensions", g.rank AS "rank"`

type Name =
  | 'chosen'
  | 'generation'
  | 'generationOfModel'
  | 'insertGeneration'
  | 'choose'
  | 'setsOfScope'
  | 'insertSet'
  | 'advance'
  | 'deleteReplaced'
  | 'touch'
  | 'insertVector'
  | 'vectorsAfter'
  | 'vector'
  | 'numbers'
  | 'hasVector'
  | 'deletePassage'
  | 'touchScope'
  | 'deleteSome'
  | 'deleteSet'

/** Every statement about vectors, once for all databases. */
export const vectorStatements: Readonly<Record<Name, string>> = {
  chosen: `SELECT ${generation} FROM vector_generations ORDER BY rank DESC LIMIT 1`,
  generation: `SELECT ${generation} FROM vector_generations WHERE model = ? AND dimensions = ?`,
  generationOfModel: `SELECT ${generation} FROM vector_generations WHERE model = ? ORDER BY rank DESC LIMIT 1`,
  insertGeneration: `INSERT INTO vector_generations (model, dimensions, rank) VALUES (?, ?, ?) RETURNING ${generation}`,
  choose: `UPDATE vector_generations SET rank = ?, row_digest = NULL WHERE key = ? RETURNING ${generation}`,

  setsOfScope: `SELECT ${set} FROM vector_sets s JOIN vector_generations g ON g.key = s.generation WHERE s.scope = ?`,
  insertSet: `INSERT INTO vector_sets (scope, generation, through, last, removals, complete) VALUES (?, ?, 0, 0, 0, 0)
    ON CONFLICT (scope, generation) DO NOTHING`,
  // What was read decides whether this row is still the one that was read: no second reader can be first.
  advance: `UPDATE vector_sets SET through = ?, last = last + ?, complete = ?, row_digest = NULL
    WHERE key = ? AND through = ? AND removals = ? RETURNING last AS "last"`,
  touch: `UPDATE vector_sets SET removals = removals + 1, row_digest = NULL WHERE key = ?`,

  deleteReplaced: `DELETE FROM vectors WHERE vector_set = ? AND passage = ?`,
  insertVector: `INSERT INTO vectors (vector_set, number, passage, bytes) VALUES (?, ?, ?, ?)`,
  vectorsAfter: `SELECT number AS "number", passage AS "passage", bytes AS "bytes" FROM vectors
    WHERE vector_set = ? AND number > ? ORDER BY number LIMIT ?`,
  vector: `SELECT number AS "number", passage AS "passage", bytes AS "bytes" FROM vectors WHERE vector_set = ? AND number = ?`,
  numbers: `SELECT number AS "number" FROM vectors WHERE vector_set = ? AND number > ? ORDER BY number LIMIT ?`,

  hasVector: `SELECT passage AS "passage" FROM vectors WHERE vector_set = ? AND passage = ?`,
  deletePassage: `DELETE FROM vectors WHERE vector_set IN (SELECT key FROM vector_sets WHERE scope = ?) AND passage = ?`,
  touchScope: `UPDATE vector_sets SET removals = removals + 1, row_digest = NULL WHERE scope = ?`,

  deleteSome: `DELETE FROM vectors WHERE vector_set = ? AND number IN
    (SELECT number FROM vectors WHERE vector_set = ? ORDER BY number LIMIT ?)`,
  deleteSet: `DELETE FROM vector_sets WHERE key = ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.vector_set = vector_sets.key)`,
}
