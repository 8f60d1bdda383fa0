import type { SqlDialect } from '../sql/dialect.ts'

export const postgres: SqlDialect = {
  name: 'postgres',
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
}
