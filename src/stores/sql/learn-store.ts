import type { LearnCursor, LearnStore, SessionBehind } from '../../ports/learn-store.ts'
import type { Database } from './database.ts'
import { learnStatements as sql } from './learn-statements.ts'
import { all, one } from './program.ts'

const START: LearnCursor = { version: 0, seq: 0 }

/** How far sessions were learned from. */
export function learnStore(database: Database): LearnStore {
  return {
    behind: ({ after, through }) =>
      database.read('look for sessions to learn from', 'every scope', () =>
        all<SessionBehind>(sql.behind, after, through),
      ),
    behindOne: (scope, session) =>
      database.read('look for a session to learn from', [scope], () =>
        one<SessionBehind>(sql.behindOne, scope, session),
      ),
    learned: (session) =>
      database.read('read how far a session was learned from', 'every scope', function* () {
        return (yield* one<LearnCursor>(sql.cursor, session)) ?? START
      }),
  }
}
