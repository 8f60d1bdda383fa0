import type { RetentionRow, RetentionStore, SessionOverdue } from '../../ports/retention-store.ts'
import type { Database } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { ownerValues } from './log-statements.ts'
import { type Program, all, allEach, changeRows } from './program.ts'

const sql = {
  get: `SELECT scope AS "scope", policy AS "policy" FROM retention WHERE scope = ? AND policy <> 'null'`,
  list: `SELECT scope AS "scope", policy AS "policy" FROM retention WHERE policy <> 'null' ORDER BY scope`,
  set: `INSERT INTO retention (scope, policy, at) VALUES (?, ?, ?)
    ON CONFLICT (scope) DO UPDATE SET policy = excluded.policy, at = excluded.at, row_digest = NULL`,
  // The row stays, so that `verify` can tell a policy that was removed from a row that somebody deleted.
  remove: `UPDATE retention SET policy = 'null', at = ?, row_digest = NULL WHERE scope = ?`,
  // `0` is the character after the slash.
  scopes: `SELECT DISTINCT scope AS "scope" FROM sessions WHERE scope = ? OR (scope > ? || '/' AND scope < ? || '0') ORDER BY scope`,
  sessions: `SELECT key AS "key", name AS "session", last_seq AS "lastSeq" FROM sessions WHERE scope = ? AND key > ? ORDER BY key LIMIT ?`,
}

/** The oldest that are there. A tombstone has no salt: what was forgotten is not overdue again. */
function oldestOf({ owned: { is } }: SqlDialect): string {
  return `SELECT seq AS "seq", recorded_at AS "recordedAt" FROM messages WHERE ${is} AND length(salt) > 0 ORDER BY seq LIMIT ?`
}

/** How long scopes keep what they have. */
export function retentionStore(database: Database): RetentionStore {
  return {
    get: (scopes) =>
      database.read('read a retention', scopes, function* () {
        const rows: RetentionRow[] = []
        for (const scope of scopes) rows.push(...(yield* all<RetentionRow>(sql.get, scope)))
        return rows
      }),
    set: (scope, policy, at) =>
      database.write('set a retention', [scope], function* () {
        if (policy === null) yield* changeRows(sql.remove, at, scope)
        else yield* changeRows(sql.set, scope, policy, at)
      }),
    list: () => database.read('list retentions', 'every scope', () => all<RetentionRow>(sql.list)),
    scopes: (scope) =>
      database.read('list scopes', [scope, `${scope}/`], function* () {
        return (yield* all<{ readonly scope: string }>(sql.scopes, scope, scope, scope)).map((row) => row.scope)
      }),
    overdue: (scope, bounds, page) =>
      database.read('find what is overdue', [scope], () => overdue(database.dialect, scope, { ...bounds, ...page })),
  }
}

type Bounds = Parameters<RetentionStore['overdue']>[1] & Parameters<RetentionStore['overdue']>[2]

function* overdue(
  dialect: SqlDialect,
  scope: string,
  { before = -1, keep, after, sessions, messages }: Bounds,
): Program<readonly SessionOverdue[]> {
  const found: SessionOverdue[] = []
  const rows = yield* all<{ readonly key: number; readonly session: string; readonly lastSeq: number }>(
    sql.sessions,
    scope,
    after,
    sessions,
  )
  const first = yield* allEach<{ readonly seq: number; readonly recordedAt: number }>(
    oldestOf(dialect),
    rows.map(({ key }) => [...ownerValues(dialect, { scope, key }), messages]),
  )
  for (const [index, { key, session, lastSeq }] of rows.entries()) {
    const through = keep === undefined ? 0 : lastSeq - keep
    const oldest = first[index] ?? []
    // Recording times rise with the sequence, so what is overdue is what comes first.
    const end = oldest.findIndex(({ seq, recordedAt }) => recordedAt >= before && seq > through)
    found.push({ scope, session, key, seqs: oldest.slice(0, end < 0 ? oldest.length : end).map(({ seq }) => seq) })
  }
  return found
}
