import type { ScopeRow } from '../../ports/log-store.ts'
import { INSIDE_SCOPE, insideScope } from './inside-scope.ts'
import { STILL_KNOWN } from './migrations/0003-knowledge.ts'
import { type Program, all } from './program.ts'

/** In a scope and all below, after a path. */
const within = `scope > ? AND ${INSIDE_SCOPE}`

/** Each half stops at the limit by itself, so that a page of a million scopes reads a page of its index. */
const statement = `SELECT scope AS "scope", CAST(SUM(sessions) AS BIGINT) AS "sessions", CAST(SUM(messages) AS BIGINT) AS "messages",
  CAST(SUM(facts) AS BIGINT) AS "facts", MAX(updated_at) AS "updatedAt"
  FROM (
    SELECT * FROM (SELECT scope, COUNT(*) AS sessions, SUM(last_seq - COALESCE(parent_seq, 0)) AS messages, 0 AS facts,
      MAX(updated_at) AS updated_at FROM sessions WHERE ${within} GROUP BY scope ORDER BY scope LIMIT ?) AS talk
    UNION ALL
    SELECT * FROM (SELECT scope, 0 AS sessions, 0 AS messages, COUNT(*) AS facts, MAX(recorded_at) AS updated_at
      FROM facts WHERE until = ${STILL_KNOWN} AND ${within} GROUP BY scope ORDER BY scope LIMIT ?) AS known
  ) AS parts
  GROUP BY scope ORDER BY scope LIMIT ?`

/** Scopes that have sessions or facts, in the order of their paths. */
export function* listScopes(
  under: string | null,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
): Program<readonly ScopeRow[]> {
  const half = [after, ...insideScope(under), limit]
  return yield* all<ScopeRow>(statement, ...half, ...half, limit)
}
