import type { Advance, LearnCursor, LearnStore, SessionBehind } from '../../ports/learn-store.ts'
import { learnStatements as sql } from '../sql/learn-statements.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import type { WriteQueue } from './write-queue.ts'

const START: LearnCursor = { version: 0, seq: 0 }

/** How far sessions were learned from, in an SQLite file. */
export class SqliteLearnStore implements LearnStore {
  readonly #connection: Connection
  readonly #queue: WriteQueue

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection
    this.#queue = queue
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

  commit(advance: Advance, write: () => void): Promise<boolean> {
    return this.#queue.write('store what was learned', () => {
      const moved = advanceCursor(this.#connection, advance)
      if (moved) write()
      return moved
    })
  }

  #read<Result>(attempt: string, run: () => Result): Promise<Result> {
    return patiently(attempt, run, (error) => this.#connection.noticeFailure(error))
  }

  #all<Row>(statement: string, ...values: unknown[]): readonly Row[] {
    return this.#connection.statement(statement).all(...values) as Row[]
  }
}

/** Moves a session's cursor if it stands where it was read. To be called in the transaction that stores what was learned. */
function advanceCursor(connection: Connection, { session, from, to }: Advance): boolean {
  // A session that nobody learned from has no row yet; one that has is never at 0.
  if (from === 0) return connection.statement(sql.insertCursor).run(session, to.version, to.seq).changes === 1
  return connection.statement(sql.moveCursor).run(to.version, to.seq, session, from).changes === 1
}
