import { isList } from '../../domain/interleave.ts'
import type { Database, VisibleScopes } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program, ProgramStep } from '../sql/program.ts'
import { RowDigests } from '../sql/row-digests.ts'
import type { Connection } from './connection.ts'
import { sqlite } from './dialect.ts'
import { LoopTurn } from './loop-turn.ts'
import { retryBusy } from './retry-busy.ts'
import type { WriteQueue } from './write-queue.ts'

/** Runs programs against the file, each at once: nothing else touches the handle between its statements. */
export class SqliteDatabase implements Database {
  readonly dialect: SqlDialect = sqlite
  readonly #connection: Connection
  readonly #queue: WriteQueue
  readonly #digests = new RowDigests(sqlite)
  readonly #loop = new LoopTurn()

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection
    this.#queue = queue
  }

  read<Result>(attempt: string, _sight: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#patiently(attempt, () => this.run(program()))
  }

  /** Other processes write when they like: only a transaction makes several reads agree. */
  snapshot<Result>(attempt: string, _sight: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#patiently(attempt, () => {
      this.#connection.statement('BEGIN').run()
      try {
        return this.run(program())
      } finally {
        // After a disk failure the handle is gone, and the transaction with it.
        const database = this.#connection.database()
        if (database.inTransaction) database.exec('COMMIT')
      }
    })
  }

  write<Result>(attempt: string, _sight: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#queue.write(attempt, () => this.runWrite(program()))
  }

  async #patiently<Result>(attempt: string, run: () => Result): Promise<Result> {
    // Reads come back at once: without this, whoever reads in a loop would hold the event loop until its end.
    if (this.#loop.isOver) await this.#loop.turn()
    return retryBusy(attempt, run, (error) => this.#connection.noticeFailure(error))
  }

  /** Inside a transaction: rows that were written get their digests. */
  runWrite<Result>(program: Program<Result>): Result {
    return this.run(this.#digests.with(program))
  }

  /** Inside a transaction, or without one. */
  run<Result>(program: Program<Result>): Result {
    let next = program.next()
    while (next.done !== true) {
      const { value } = next
      next = program.next(isList(value) ? value.map((step) => this.#answer(step)) : this.#answer(value))
    }
    return next.value
  }

  #answer({ text, values, gives }: ProgramStep): unknown {
    if (gives === 'lists') return this.#connection.listing(text).all(...values)
    const statement = this.#connection.statement(text)
    return gives === 'rows' ? statement.all(...values) : statement.run(...values).changes
  }
}
