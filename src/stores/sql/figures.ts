import type { StoreFigures } from '../../ports/store.ts'
import { STILL_KNOWN } from './migrations/0003-knowledge.ts'
import { type Program, one } from './program.ts'

/** From the heads of sessions: counting the messages themselves would read every page of the largest table. */
const statement = `SELECT
  (SELECT COUNT(*) FROM sessions) AS "sessions",
  (SELECT CAST(COALESCE(SUM(last_seq - COALESCE(parent_seq, 0)), 0) AS BIGINT) FROM sessions) AS "messages",
  (SELECT COUNT(*) FROM facts WHERE until = ${STILL_KNOWN}) AS "facts"`

/** How much there is, of all scopes together. */
export function* figures(): Program<Pick<StoreFigures, 'sessions' | 'messages' | 'facts'>> {
  const found = yield* one<Pick<StoreFigures, 'sessions' | 'messages' | 'facts'>>(statement)
  return found ?? { sessions: 0, messages: 0, facts: 0 }
}
