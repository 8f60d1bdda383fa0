import type { LearnCursor, LearnStore, SessionBehind } from '../../ports/learn-store.ts'
import { learnStatements as sql } from '../sql/learn-statements.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'

const START: LearnCursor = { version: 0, seq: 0 }

/** How far sessions were learned from, in an SQLite file. */
export class SqliteLearnStore implements LearnStore {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  behind({ after, through }: { readonly after: number; readonly through: number }): Promise<readonly SessionBehind[]> {
    return this.#read('look for sessions to learn from', () => this.#all<SessionBehind>(sql.behind, after, through))
  }

  async behindOne(scope: string, session: string): Promise<SessionBehind | undefined> {
    const [found] = await this.#read('look for a session to learn from', () =>
      this.#all<SessionBehind>(sql.behindOne, scope, session),
    )
    return found
  }

  learned(session: number): Promise<LearnCursor> {
    return this.#read(
      'read how far a session was learned from',
      () => this.#all<LearnCursor>(sql.cursor, session)[0] ?? START,
    )
  }

  #read<Result>(attempt: string, run: () => Result): Promise<Result> {
    return patiently(attempt, run, (error) => this.#connection.noticeFailure(error))
  }

  #all<Row>(statement: string, ...values: unknown[]): readonly Row[] {
    return this.#connection.statement(statement).all(...values) as Row[]
  }
}
