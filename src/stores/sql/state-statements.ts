import { blockPlaces } from '../../domain/block-place.ts'

type Name =
  | 'head'
  | 'headAt'
  | 'lockHead'
  | 'moveHead'
  | 'current'
  | 'currentOne'
  | 'earlier'
  | 'earlierOne'
  | 'historyOfKey'
  | 'blocks'
  | 'earlierBlocks'
  | 'close'
  | 'insertEntry'
  | 'ascending'
  | 'descending'
  | 'deleteOne'
  | 'deleteRange'
  | 'toolCounts'
  | 'writeToolCounts'
  | 'writeNoToolCounts'
  | 'withoutLog'
  | 'streamsOfSession'
  | 'streamsOfSessions'
  | 'countEntries'
  | 'forgetEntries'
  | 'forgetHead'
  | 'forgetToolCounts'
  | 'lastForgotten'
  | 'addForgotten'

const entry = `key AS "key", version AS "version", at AS "at", value AS "value"`
const place = `scope = ? AND session = ?`
/** A session and its blocks: values are those of `withBlocks`. */
const placeWithBlocks = `scope = ? AND (session = ? OR (session >= ? AND session < ?))`

const range = `SELECT ${entry} FROM state_entries WHERE ${place} AND section = ? AND until_version IS NULL AND value IS NOT NULL
    AND key >= ? AND key < ? AND key > ?`

/** The scope, and which sessions a statement about a session and its blocks is for. */
export function withBlocks(scope: string, session: string): readonly [string, string, string, string] {
  return [scope, session, ...blockPlaces(session)]
}

/** The working documents of sessions, blocks, and collections of records. */
export const stateStatements: Readonly<Record<Name, string>> = {
  head: `SELECT version AS "version", at AS "at" FROM state_heads WHERE ${place}`,
  headAt: `SELECT version AS "version", at AS "at" FROM state_entries WHERE ${place} AND at <= ?
    ORDER BY at DESC, version DESC LIMIT 1`,
  // Changes nothing, and makes whoever changes this state wait for its turn, also where others may write beside it.
  lockHead: `INSERT INTO state_heads (scope, session, version, at) VALUES (?, ?, 0, 0)
    ON CONFLICT (scope, session) DO UPDATE SET version = state_heads.version
    RETURNING version AS "version", at AS "at"`,
  moveHead: `UPDATE state_heads SET version = ?, at = ?, row_digest = NULL WHERE ${place}`,
  current: `SELECT ${entry} FROM state_entries
    WHERE ${place} AND section = ? AND until_version IS NULL AND value IS NOT NULL`,
  currentOne: `SELECT ${entry} FROM state_entries
    WHERE ${place} AND section = ? AND key = ? AND until_version IS NULL AND value IS NOT NULL`,
  earlier: `SELECT ${entry} FROM state_entries WHERE ${place} AND section = ?
    AND version <= ? AND (until_version IS NULL OR until_version > ?) AND value IS NOT NULL`,
  earlierOne: `SELECT ${entry} FROM state_entries WHERE ${place} AND section = ? AND key = ?
    AND version <= ? AND (until_version IS NULL OR until_version > ?) AND value IS NOT NULL`,
  historyOfKey: `SELECT ${entry} FROM state_entries
    WHERE ${place} AND section = ? AND key = ? AND version < ? ORDER BY version DESC LIMIT ?`,
  blocks: `SELECT ${entry} FROM state_entries WHERE scope = ? AND session >= ? AND session < ? AND section = 'block'
    AND until_version IS NULL AND value IS NOT NULL`,
  earlierBlocks: `SELECT ${entry} FROM state_entries e WHERE scope = ? AND session >= ? AND session < ? AND section = 'block'
    AND value IS NOT NULL AND version = (SELECT MAX(v.version) FROM state_entries v
      WHERE v.scope = e.scope AND v.session = e.session AND v.section = 'block' AND v.at <= ?)`,
  close: `UPDATE state_entries SET until_version = ?, row_digest = NULL
    WHERE ${place} AND section = ? AND key = ? AND until_version IS NULL`,
  insertEntry: `INSERT INTO state_entries (scope, session, section, key, version, until_version, at, value)
    VALUES (?, ?, ?, ?, ?, NULL, ?, ?)`,
  ascending: `${range} ORDER BY key LIMIT ?`,
  descending: `${range} ORDER BY key DESC LIMIT ?`,
  deleteOne: `DELETE FROM state_entries WHERE ${place} AND section = ? AND key = ?`,
  deleteRange: `DELETE FROM state_entries WHERE ${place} AND section = ? AND key >= ? AND key < ?`,
  toolCounts: `SELECT log AS "log", through AS "through", counts AS "counts" FROM tool_counts WHERE ${place}`,
  writeToolCounts: `INSERT INTO tool_counts (scope, session, log, through, counts) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope, session) DO UPDATE SET log = excluded.log, through = excluded.through, counts = excluded.counts, row_digest = NULL
    WHERE tool_counts.log < excluded.log OR tool_counts.through < excluded.through`,
  writeNoToolCounts: `DELETE FROM tool_counts`,
  // Collections of records have names that begin with a control character, which no session has.
  withoutLog: `SELECT h.session AS "session", h.at AS "at",
    (SELECT MIN(e.at) FROM state_entries e WHERE e.scope = h.scope AND e.session = h.session) AS "createdAt"
    FROM state_heads h WHERE h.scope = ? AND h.session > ? AND h.session >= ' ' AND h.version > 0 AND h.session NOT LIKE ?
    AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.scope = h.scope AND s.name = h.session)
    ORDER BY h.session LIMIT ?`,
  streamsOfSession: `SELECT scope AS "scope", session AS "session", at AS "at" FROM state_heads
    WHERE scope = ? AND session >= ? AND session < ?`,
  streamsOfSessions: `SELECT h.scope AS "scope", h.session AS "session", h.at AS "at" FROM sessions s
    JOIN state_heads h ON h.scope = s.scope AND h.session >= s.name || ? AND h.session < s.name || ?
    WHERE s.key > ? AND s.key <= ?`,
  countEntries: `SELECT COUNT(*) AS "count" FROM state_entries WHERE ${placeWithBlocks}`,
  forgetEntries: `DELETE FROM state_entries WHERE ${placeWithBlocks}`,
  forgetHead: `DELETE FROM state_heads WHERE ${placeWithBlocks}`,
  forgetToolCounts: `DELETE FROM tool_counts WHERE ${place}`,
  lastForgotten: `SELECT MAX(name) AS "name" FROM forgotten_names WHERE scope = ? AND name >= ? AND name < ?`,
  addForgotten: `INSERT INTO forgotten_names (scope, name) VALUES (?, ?) ON CONFLICT DO NOTHING`,
}
