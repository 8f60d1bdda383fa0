import type { SessionHead } from '../../ports/log-store.ts'
import { type SessionRow, sessionHead } from './lineage.ts'
import { logStatements as sql } from './log-statements.ts'
import { type Program, one } from './program.ts'

/**
 * A session with those it came from. Stops at an ancestor that is missing or comes again: damage must not hang or hide the sessions
 * beside it.
 *
 * @param known Rows that were read already, by their keys: forks of forks share their ancestors.
 */
export function* headOf(row: SessionRow, known: Map<number, SessionRow> = new Map()): Program<SessionHead> {
  const ancestors: SessionRow[] = []
  const seen = new Set([row.key])
  for (let key = row.parentKey; key !== null && !seen.has(key);) {
    const ancestor: SessionRow | undefined =
      known.get(key) ?? (yield* one<SessionRow>(sql.sessionByKey, row.scope, key))
    if (ancestor === undefined || ancestor.scope !== row.scope) break
    known.set(key, ancestor)
    ancestors.push(ancestor)
    seen.add(key)
    key = ancestor.parentKey
  }
  return sessionHead(row, ancestors)
}
