import type { SqlDialect } from '../sql/dialect.ts'
import { logStatements } from '../sql/log-statements.ts'

/** One round for many keys: each by itself costs more in coming and going than in looking. */
const KEYS_PER_READ = 64

/** Functions that each handle brings along: what time it is, and which blobs bodies show. */
export const NOW = 'daybook_now'
export const BLOBS_SHOWN = 'daybook_blobs_shown'

const HELD = `SELECT 1 FROM sessions WHERE key = ? AND version = ? AND head = ? AND description = ?`

export const sqlite: SqlDialect = {
  name: 'sqlite',
  isLocal: true,
  integer: 'INTEGER',
  bytes: 'BLOB',
  text: 'TEXT',
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  // One file is one owner's to guard: the session alone finds its rows, and no row is larger for it.
  owned: {
    scope: '',
    key: '',
    references: ' REFERENCES sessions (key)',
    identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    primary: '',
    is: 'session = ?',
  },
  whose: '',
  among: {
    is: `IN (${Array.from({ length: KEYS_PER_READ }, () => '?').join(', ')})`,
    // Filled up with 0, which no row has: statements of one length are prepared once.
    values: (keys) =>
      Array.from({ length: Math.ceil(keys.length / KEYS_PER_READ) }, (_, batch) =>
        Array.from({ length: KEYS_PER_READ }, (__, index) => keys[batch * KEYS_PER_READ + index] ?? 0),
      ),
  },
  // One statement for a thousand: to call each takes longer than to run it.
  pairs: {
    from: `SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true`,
    values: (first, pairs) => (pairs.length === 0 ? [] : [[first, JSON.stringify(pairs)]]),
  },
  counted: 'json_each(?)',
  // Some 20 ms in which nobody else writes and the event loop stands. Smaller ones spend their time syncing pages that the next
  // one changes again.
  postingsPerChange: 6_000,
  clustered: ' WITHOUT ROWID',
  lock: undefined,
  now: `(SELECT CAST(${NOW}() AS INTEGER))`,
  blobsShown: { each: (body) => body, list: (shown) => `${BLOBS_SHOWN}(${shown})` },
  forUpdate: '',
  skipLocked: '',
  blobs: { forShare: '', onConflict: 'DO NOTHING' },
  // There is one writer at a time.
  sessions: {
    lock: (names) => names.map((values) => ({ text: logStatements.session, values, gives: 'rows' })),
    hold: (heads) =>
      heads.map(({ key, version, head, description }) => ({
        text: HELD,
        values: [key, version, head, JSON.stringify(description)],
        gives: 'rows',
      })),
  },
}
