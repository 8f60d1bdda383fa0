import type { SqlDialect } from '../sql/dialect.ts'
import { sessionColumns } from '../sql/log-statements.ts'

// In the order of their keys, whoever asks: two batches never wait for each other in a circle. Rows that others change
// meanwhile are read again once they are free.
const LOCK = `SELECT ${sessionColumns} FROM sessions s
  JOIN unnest(?::text[], ?::text[]) AS w (scope, name) ON s.scope = w.scope AND s.name = w.name
  ORDER BY s.key FOR NO KEY UPDATE OF s`
// Locks those that are as they were left, by the last link of their chain. If one is not, what follows in the transaction writes
// nothing: see `only-if-held.ts`.
const HOLD = `WITH held AS MATERIALIZED (SELECT s.key FROM sessions s
    JOIN unnest(?::text[], ?::bigint[], ?::bigint[], ?::bytea[], ?::text[]) AS w (scope, key, version, head, description)
      ON s.scope = w.scope AND s.key = w.key AND s.version = w.version AND s.head = w.head AND s.description = w.description
    ORDER BY s.key FOR NO KEY UPDATE OF s)
  SELECT set_config('daybook.held', CASE WHEN count(*) = ?::bigint THEN 'yes' ELSE 'no' END, true) = 'yes' AS "held" FROM held`

export const postgres: SqlDialect = {
  name: 'postgres',
  isLocal: false,
  integer: 'BIGINT',
  bytes: 'BYTEA',
  text: 'TEXT COLLATE "C"',
  identity: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  owned: {
    scope: 'scope TEXT COLLATE "C" NOT NULL, ',
    key: 'scope, ',
    // Written in the transaction that holds the session's row: a foreign key would look for it again with every row.
    references: '',
    identity: 'BIGINT GENERATED ALWAYS AS IDENTITY',
    primary: 'PRIMARY KEY (scope, key), ',
    is: 'scope = ? AND session = ?',
  },
  // Whoever writes such rows does it for the first scope of its visible.
  whose: `scope TEXT COLLATE "C" NOT NULL DEFAULT split_part(current_setting('daybook.visible_scopes'), E'\\n', 1), `,
  among: { is: '= ANY (?::bigint[])', values: (keys) => (keys.length === 0 ? [] : [[keys]]) },
  pairs: { from: 'VALUES (?, ?, ?)', values: (first, pairs) => pairs.map(([text, number]) => [first, text, number]) },
  counted: undefined,
  // The server's time is not the event loop's: to put so many on the wire takes some 8 ms, and only who posts into the same
  // scope waits for the rest. Twice as many cost the server a fourteenth less, and hold the event loop longer.
  postingsPerChange: 4_000,
  clustered: '',
  lock: 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))',
  // Not of the transaction, which may have waited for a lock since it began.
  now: '(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)',
  blobsShown: {
    each: (body) => `(regexp_matches(${body}, '"hash":"([0-9a-f]{64})"', 'g'))[1]`,
    list: (shown) => `COALESCE(json_agg(DISTINCT ${shown})::text, '[]')`,
  },
  forUpdate: ' FOR UPDATE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  // Whoever forgets the last message that shows a blob waits, and finds the message that is stored now.
  blobs: { forShare: ' FOR KEY SHARE', onConflict: 'DO UPDATE SET hash = excluded.hash' },
  sessions: {
    lock: (names) => [
      { text: LOCK, values: [names.map(([scope]) => scope), names.map(([, name]) => name)], gives: 'rows' },
    ],
    hold: (heads) => [
      {
        text: HOLD,
        values: [
          heads.map(({ scope }) => scope),
          heads.map(({ key }) => key),
          heads.map(({ version }) => version),
          heads.map(({ head }) => head),
          heads.map(({ description }) => JSON.stringify(description)),
          heads.length,
        ],
        gives: 'held',
      },
    ],
  },
}
