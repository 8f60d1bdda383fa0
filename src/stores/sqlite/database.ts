import { isList } from '../../domain/interleave.ts'
import { IN_MEMORY } from './open-database.ts'
import type { Database, VisibleScopes } from '../sql/database.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Program } from '../sql/program.ts'
import { RowDigests } from '../sql/row-digests.ts'
import type { Connection } from './connection.ts'
import { sqlite } from './dialect.ts'
import { LoopTurn } from './loop-turn.ts'
import { retryBusy } from './retry-busy.ts'
import { runInTurns } from './run-in-turns.ts'
import { runStep } from './run-step.ts'
import { TakesLong } from './takes-long.ts'
import type { WriteQueue } from './write-queue.ts'

/** A program of more statements, or of more processor time, runs again in turns: others run in between. */
const AT_ONCE_MAX = { steps: 3_000, ms: 25 }
/** After so many statements the time is looked at. */
const STEPS_PER_LOOK = 256

interface WaysToWrite<Result> {
  readonly run: () => Result
  readonly runInTurns: ((connection: Connection) => Promise<Result>) | undefined
}

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

  read<Result>(
    attempt: string,
    _sight: VisibleScopes,
    program: () => Program<Result>,
    when?: 'at once',
  ): Promise<Result> {
    return this.#retrying(attempt, () => this.run(program()), when)
  }

  /** Other processes write when they like: only a transaction makes several reads agree. */
  snapshot<Result>(attempt: string, _sight: VisibleScopes, program: () => Program<Result>): Promise<Result> {
    return this.#retrying(attempt, () => {
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
    const { run, runInTurns: inTurns } = this.waysToWrite(program)
    return this.#queue.write(attempt, run, inTurns)
  }

  /** How a write is run inside a transaction: at once, and if that takes long, in turns. What is only in memory has no second connection. */
  waysToWrite<Result>(program: () => Program<Result>): WaysToWrite<Result> {
    if (this.#connection.file === IN_MEMORY) return { run: () => this.runWrite(program()), runInTurns: undefined }
    return {
      run: () => this.run(this.#digests.with(program()), AT_ONCE_MAX),
      runInTurns: (connection) => runInTurns(connection, this.#digests.with(program())),
    }
  }

  async #retrying<Result>(attempt: string, run: () => Result, when?: 'at once'): Promise<Result> {
    // Reads come back at once: without this, whoever reads in a loop would hold the event loop until its end.
    while (when === undefined && this.#loop.isOver) await this.#loop.turn()
    return retryBusy(attempt, run, (error) => this.#connection.noticeFailure(error))
  }

  /** Inside a transaction: rows that were written get their digests. */
  runWrite<Result>(program: Program<Result>): Result {
    return this.run(this.#digests.with(program))
  }

  /** Inside a transaction, or without one. */
  run<Result>(program: Program<Result>, atOnce?: typeof AT_ONCE_MAX): Result {
    const started = atOnce === undefined ? 0 : processorMs()
    let next = program.next()
    let steps = 0
    let look = STEPS_PER_LOOK
    while (next.done !== true) {
      const { value } = next
      steps += isList(value) ? value.length : 1
      if (atOnce !== undefined && steps > look) {
        if (steps > atOnce.steps || processorMs() - started > atOnce.ms) throw new TakesLong()
        look = steps + STEPS_PER_LOOK
      }
      next = program.next(
        isList(value) ? value.map((step) => runStep(this.#connection, step)) : runStep(this.#connection, value),
      )
    }
    return next.value
  }
}

/** Of this thread, where the platform says: on a busy machine the clock runs on while others compute. */
function processorMs(): number {
  const { threadCpuUsage } = process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>
  if (threadCpuUsage === undefined) return performance.now()
  const { user, system } = threadCpuUsage.call(process)
  return (user + system) / 1_000
}
