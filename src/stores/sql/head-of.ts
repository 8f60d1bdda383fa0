import type { SessionHead } from '../../ports/log-store.ts'
import { type SessionRow, sessionHead } from './lineage.ts'
import { logStatements as log } from './log-statements.ts'
import { type Program, one } from './program.ts'

/** A session with those it came from, one read each: for rare work. */
export function* headOf(row: SessionRow): Program<SessionHead> {
  const ancestors: SessionRow[] = []
  for (let key = row.parentKey; key !== null;) {
    const ancestor: SessionRow | undefined = yield* one<SessionRow>(log.sessionByKey, row.scope, key)
    if (ancestor === undefined || ancestors.length > 10_000) break
    ancestors.push(ancestor)
    key = ancestor.parentKey
  }
  return sessionHead(row, ancestors)
}
