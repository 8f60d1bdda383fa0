import { recallKinds } from '../../ports/recall-store.ts'
import type { SqlDialect } from './dialect.ts'
import { STILL_KNOWN } from './migrations/0003-knowledge.ts'

const thread = `SELECT thread AS "thread", version AS "version", seq AS "seq", disturbed AS "disturbed",
    unfinished AS "unfinished", words AS "words",
    (SELECT s.name FROM recall_shelves h JOIN sessions s ON s.scope = h.scope AND s.key = (thread - thread % 4) / 4
      WHERE h.key = recall_threads.shelf AND thread % 4 <> 2) AS "session"
    FROM recall_threads`
const passage = `thread AS "thread", place AS "place", shelf AS "shelf", reference AS "reference", speaker AS "speaker", role AS "role",
  at AS "at", length AS "length", cues AS "cues", terms AS "terms"`

const behind = `s.version > COALESCE((SELECT c.version FROM recall_threads c WHERE c.thread = s.key * 4), 0)`
/** Up to which version of its knowledge the facts of a shelf `h` are posted. */
const factsThrough = `COALESCE((SELECT c.version FROM recall_threads c WHERE c.thread = h.key * 4 + ${recallKinds.fact}), 0)`

type Name =
  | 'unposted'
  | 'behind'
  | 'messagesBehind'
  | 'factsBehind'
  | 'forks'
  | 'thread'
  | 'cursor'
  | 'isForgotten'
  | 'writeThread'
  | 'shelf'
  | 'makeShelf'
  | 'shelves'
  | 'speakers'
  | 'countShelf'
  | 'dropTerm'
  | 'removeTerm'
  | 'term'
  | 'termsLike'
  | 'addPassage'
  | 'passagesIn'
  | 'passagesFrom'
  | 'nthPlace'
  | 'passagesBefore'
  | 'passagesAfter'
  | 'passagesDuring'
  | 'passagesOfReference'
  | 'removePassage'
  | 'countSpeaker'
  | 'dropSpeaker'
  | 'addPosted'
  | 'removePosted'
  | 'posted'
  | 'scopes'

/** Every statement of the word index, once for all databases. Words and names are JSON text: they may hold any character. */
export const recallStatements: Readonly<Record<Name, string>> = {
  // What of the facts is to be posted is what `changed` and `forgotten` of the knowledge would give.
  unposted: `SELECT 1 AS "one" WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.scope = ? AND ${behind})
    OR NOT EXISTS (SELECT 1 FROM recall_shelves h WHERE h.scope = ? AND h.kind = ${recallKinds.fact}
      AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.scope = h.scope AND f.revision > ${factsThrough} AND +f.until = ${STILL_KNOWN})
      AND NOT EXISTS (SELECT 1 FROM facts_forgotten g WHERE g.scope = h.scope AND g.version > ${factsThrough}))`,
  behind: `SELECT s.key AS "key", s.name AS "session" FROM sessions s WHERE s.scope = ? AND ${behind} ORDER BY s.key LIMIT ?`,
  messagesBehind: `SELECT COUNT(*) AS "sessions", CAST(COALESCE(SUM(s.last_seq
      - COALESCE((SELECT c.seq FROM recall_threads c WHERE c.thread = s.key * 4), s.parent_seq, 0)), 0) AS BIGINT) AS "messages"
    FROM sessions s WHERE s.scope = ? AND ${behind}`,
  factsBehind: `SELECT COUNT(*) AS "facts" FROM facts f WHERE f.scope = ? AND f.until = ${STILL_KNOWN}
    AND f.revision > COALESCE((SELECT ${factsThrough} FROM recall_shelves h WHERE h.scope = ? AND h.kind = ${recallKinds.fact}), 0)`,
  forks: `SELECT s.name AS "session" FROM sessions s WHERE s.scope = ? AND s.parent_key = ? ORDER BY s.key`,
  thread: `${thread} WHERE thread = ?`,
  cursor: `SELECT version AS "version", seq AS "seq", disturbed AS "disturbed", unfinished AS "unfinished"
    FROM recall_threads WHERE thread = ?`,
  isForgotten: `SELECT 1 AS "one" FROM forgotten_sessions WHERE session = ?`,
  writeThread: `INSERT INTO recall_threads (thread, shelf, version, seq, unfinished, words, disturbed) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (thread) DO UPDATE SET version = excluded.version, seq = excluded.seq, unfinished = excluded.unfinished,
      words = recall_threads.words + excluded.words, disturbed = recall_threads.disturbed + excluded.disturbed`,

  shelf: `SELECT key AS "key" FROM recall_shelves WHERE scope = ? AND kind = ?`,
  makeShelf: `INSERT INTO recall_shelves (scope, kind, passages, words) VALUES (?, ?, 0, 0)
    ON CONFLICT (scope, kind) DO UPDATE SET kind = excluded.kind RETURNING key AS "key"`,
  shelves: `SELECT key AS "key", scope AS "scope", kind AS "kind", passages AS "passages", words AS "words",
    (SELECT COUNT(*) FROM recall_threads c WHERE c.shelf = recall_shelves.key) AS "threads"
    FROM recall_shelves WHERE scope = ?`,
  countShelf: `UPDATE recall_shelves SET passages = passages + ?, words = words + ? WHERE key = ?`,

  speakers: `SELECT speaker AS "speaker" FROM recall_speakers
    WHERE shelf = (SELECT key FROM recall_shelves WHERE scope = ? AND kind = ?) ORDER BY speaker LIMIT ?`,
  countSpeaker: `INSERT INTO recall_speakers (shelf, speaker, passages) VALUES (?, ?, ?)
    ON CONFLICT (shelf, speaker) DO UPDATE SET passages = recall_speakers.passages + excluded.passages`,
  addPosted: `INSERT INTO recall_posted (shelf, passage) VALUES (?, ?)`,
  removePosted: `DELETE FROM recall_posted WHERE shelf = ? AND passage = ?`,
  posted: `SELECT number AS "number", passage AS "key" FROM recall_posted WHERE shelf = ? AND number > ? ORDER BY number LIMIT ?`,
  scopes: `SELECT scope AS "scope" FROM recall_shelves WHERE scope > ? AND kind = ? ORDER BY scope LIMIT ?`,

  dropSpeaker: `DELETE FROM recall_speakers WHERE shelf = ? AND speaker = ? AND passages = 0`,

  dropTerm: `UPDATE recall_terms SET passages = passages - ? WHERE key = ?`,
  removeTerm: `DELETE FROM recall_terms WHERE key = ? AND passages = 0`,
  term: `SELECT key AS "key", shelf AS "shelf", passages AS "passages" FROM recall_terms WHERE shelf = ? AND term = ? AND passages > 0`,

  termsLike: `SELECT key AS "key", shelf AS "shelf", term AS "term", passages AS "passages" FROM recall_terms
    WHERE shelf = ? AND passages > 0 AND (term LIKE ? OR term LIKE ? OR term LIKE ?) ORDER BY term LIMIT 4000`,

  addPassage: `INSERT INTO recall_passages (thread, place, shelf, reference, speaker, role, at, length, cues, terms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  passagesIn: `SELECT ${passage} FROM recall_passages WHERE thread = ? AND place BETWEEN ? AND ? ORDER BY place`,
  passagesFrom: `SELECT ${passage} FROM recall_passages WHERE thread = ? AND place BETWEEN ? AND ? ORDER BY place LIMIT ?`,
  nthPlace: `SELECT place FROM recall_passages WHERE thread = ? AND place BETWEEN ? AND ? ORDER BY place LIMIT 1 OFFSET ?`,
  passagesBefore: `SELECT ${passage} FROM recall_passages WHERE thread = ? AND place < ? ORDER BY place DESC LIMIT ?`,
  passagesAfter: `SELECT ${passage} FROM recall_passages WHERE thread = ? AND place > ? ORDER BY place LIMIT ?`,
  passagesDuring: `SELECT ${passage} FROM recall_passages WHERE shelf = ? AND at >= ? AND at < ? ORDER BY at DESC LIMIT ?`,
  // `+thread`, so that the index by reference is used: by thread, SQLite would walk over every fact of a scope.
  passagesOfReference: `SELECT ${passage} FROM recall_passages WHERE +thread = ? AND reference = ? AND reference <> ''`,
  removePassage: `DELETE FROM recall_passages WHERE thread = ? AND place = ?`,
}

/** Statements about many keys at once. Their values are those that `among` makes of the keys. */
export function keysStatements({
  among,
  pairs,
}: SqlDialect): Readonly<Record<'threads' | 'stamps' | 'frequencies' | 'countTerms', string>> {
  return {
    countTerms: `INSERT INTO recall_terms (shelf, term, passages) ${pairs.from}
      ON CONFLICT (shelf, term) DO UPDATE SET passages = recall_terms.passages + excluded.passages RETURNING key AS "key", term AS "term"`,
    threads: `${thread} WHERE thread ${among.is}`,
    stamps: `SELECT c.thread AS "thread", c.shelf AS "shelf", c.disturbed AS "disturbed", c.seq AS "seq", h.passages AS "passages"
      FROM recall_threads c JOIN recall_shelves h ON h.key = c.shelf WHERE c.thread ${among.is}`,
    frequencies: `SELECT key AS "key", passages AS "passages" FROM recall_terms WHERE key ${among.is}`,
  }
}

/**
 * Statements about the terms whose keys and counts are in one value. `+`, so that each is found by its key: by shelf, SQLite would walk
 * over all of them.
 */
export function countedStatements(counted: string): Readonly<Record<'count' | 'known', string>> {
  return {
    count: `UPDATE recall_terms SET passages = passages + counted.value FROM ${counted} counted
      WHERE recall_terms.key = CAST(counted.key AS BIGINT) AND +recall_terms.shelf = ?`,
    known: `SELECT t.key AS "key" FROM ${counted} counted
      JOIN recall_terms t ON t.key = CAST(counted.key AS BIGINT) AND +t.shelf = ?`,
  }
}

/** What `clear` empties. */
export const recallTables: readonly string[] = [
  'postings',
  'segments',
  'passages',
  'posted',
  'terms',
  'speakers',
  'threads',
  'shelves',
].map((name) => `DELETE FROM recall_${name}`)
