import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import { keepBallast } from './ballast.ts'
import type { Connection } from './connection.ts'
import { fromSqlite, isBusy, isDiskFailure, isFileFailure, unknownAfterFailedSync } from './errors.ts'
import { IN_MEMORY } from './open-database.ts'
import { WAIT_MS_MAX, retryBusy } from './retry-busy.ts'
import { TakesLong } from './takes-long.ts'

/** A batch ends when it has run this long: callers share a sync, but nobody holds the event loop. */
const BATCH_MS_MAX = 6
const IDLE_MS_CHECKPOINT = 1_000
/** After this long the event loop gets its turn, whoever writes. */
const TURN_MS_MAX = 3
/** Promises between an answer and the next call of the same caller; a few microseconds in all. */
const HOPS_MAX = 64

/** Runs a whole job with statements of the connection it gets, inside a transaction that is begun and ended for it. */
type RunInTurns = (connection: Connection) => Promise<unknown>

interface Job {
  readonly attempt: string
  /** Reads, decides, writes. Throws a MemoryError only before it has written anything. */
  readonly run: () => unknown
  /** The same on a connection of its own, letting others run in between. Where it is missing, `run` always comes to its end. */
  readonly runInTurns: RunInTurns | undefined
  /** `run` gave up: it takes too long for one turn of the event loop. */
  isLong: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly since: number
}

/**
 * The only way to write. Jobs that arrive together run in one transaction, and one sync serves them all; each is answered
 * after the commit. A job that decides to fail fails alone.
 */
export class WriteQueue {
  readonly #connection: Connection
  readonly #onCommit: () => void
  #jobs: Job[] = []
  #draining: Promise<void> | undefined
  #turnedAt = 0
  #batchSize = 0
  #idle: NodeJS.Timeout | undefined

  constructor(connection: Connection, onCommit: () => void) {
    this.#connection = connection
    this.#onCommit = onCommit
  }

  /** @param runInTurns For a job whose `run` may throw `TakesLong`: it is then run again in this way. */
  write<Result>(attempt: string, run: () => Result, runInTurns?: RunInTurns): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#connection.closed) this.#connection.database()
      if (this.#connection.readOnly) throw readOnly(attempt, this.#connection.file)
      this.#jobs.push({ attempt, run, runInTurns, isLong: false, resolve, reject, since: performance.now() })
      this.#draining ??= this.#drain()
    }) as Promise<Result>
  }

  /** Resolves when nothing is queued any more. */
  async settled(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
    clearTimeout(this.#idle)
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop, so that everybody who wants to write in this turn joins the first batch.
      await this.#turn()
      while (this.#jobs.length > 0) {
        if (!this.#writeAtOnce()) await this.#write()
        if (!(await this.#sameCallerReturns())) await this.#turn()
      }
    } finally {
      this.#draining = undefined
    }
    this.#checkpointWhenIdle()
  }

  async #turn(): Promise<void> {
    await setImmediate()
    this.#turnedAt = performance.now()
  }

  /**
   * Whether a caller that writes in a loop has its next job ready before this turn of the event loop is over. Then a turn
   * would be spent waiting for companions that do not exist. Never for long: others have a right to their turn.
   */
  async #sameCallerReturns(): Promise<boolean> {
    if (this.#batchSize !== 1 || performance.now() - this.#turnedAt > TURN_MS_MAX) return false
    for (let hop = 0; hop < HOPS_MAX && this.#jobs.length === 0; hop++) await undefined
    return this.#jobs.length > 0
  }

  /** Runs a batch if no other process is writing; as a rule none is. */
  #writeAtOnce(): boolean {
    if (this.#jobs[0]?.isLong === true) return false
    try {
      this.#runBatch()
      return true
    } catch (error) {
      if (isBusy(error)) return false
      this.#connection.noticeFailure(error)
      this.#refuse(fromSqlite('begin to write', error))
      return true
    }
  }

  /** Runs a batch as soon as no other process is writing. */
  async #write(): Promise<void> {
    try {
      const [first] = this.#jobs
      if (first?.isLong === true) await this.#runLong(first)
      else
        await retryBusy(
          'begin to write',
          () => this.#runBatch(),
          (error) => this.#connection.noticeFailure(error),
        )
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Nothing could begin. While another process is writing, only the jobs that have waited too long fail. */
  #refuse(error: unknown): void {
    const now = performance.now()
    const given = this.#jobs.filter((job) => !MemoryError.is(error, 'store/busy') || now - job.since >= WAIT_MS_MAX)
    this.#jobs = this.#jobs.filter((job) => !given.includes(job))
    for (const job of given) job.reject(error)
  }

  /**
   * Begin, run, commit, without a pause in between: nothing else can touch the handle meanwhile. Throws only when the
   * transaction could not begin.
   */
  #runBatch(): void {
    this.#connection.statement('BEGIN IMMEDIATE').run()
    const done: Done[] = []
    const started = performance.now()
    try {
      do {
        const job = this.#jobs[0]
        if (job === undefined || job.isLong) break
        done.push({ job, ...attemptJob(job) })
        this.#jobs.shift()
      } while (performance.now() - started < BATCH_MS_MAX)
    } catch (error) {
      if (error instanceof TakesLong) this.#putOff(done)
      else this.#abort(error, done)
      return
    }
    this.#batchSize = done.length
    this.#commit(done)
  }

  /** Refusals are answered after the commit as well: what they refuse may rest on what another job of the batch stored. */
  #commit(done: readonly Done[], connection: Connection = this.#connection): void {
    try {
      connection.statement('COMMIT').run()
    } catch (error) {
      this.#rollback()
      this.#connection.noticeFailure(error)
      for (const { job } of done)
        job.reject(isDiskFailure(error) ? unknownAfterFailedSync(job.attempt, error) : fromSqlite(job.attempt, error))
      return
    }
    if (!this.#connection.isInPlace()) {
      const error = this.#connection.abandon()
      for (const { job } of done) job.reject(error)
      return
    }
    for (const { job, value, refusal } of done) {
      if (refusal === undefined) job.resolve(value)
      else job.reject(refusal)
    }
    if (done.some(({ refusal }) => refusal === undefined)) this.#onCommit()
  }

  /** The first job takes too long to be run at once: those before it run again, then it runs by itself. */
  #putOff(done: readonly Done[]): void {
    this.#rollback()
    const [job] = this.#jobs
    if (job !== undefined) job.isLong = true
    this.#jobs.unshift(...done.map((one) => one.job))
  }

  /**
   * Runs a job on a connection of its own, so that others can read while its transaction is open. As with another process that
   * writes, they see what was there before. Throws only while another process is writing: then the job stays queued.
   */
  async #runLong(job: Job): Promise<void> {
    let connection: Connection | undefined
    try {
      const own = (connection = this.#connection.another())
      const begin = (): unknown => own.statement('BEGIN IMMEDIATE').run()
      await retryBusy('begin to write', begin, (error) => this.#connection.noticeFailure(error))
      this.#jobs.shift()
      this.#batchSize = 1
      const done = { job, value: await job.runInTurns?.(own) }
      this.#commit([done], own)
    } catch (error) {
      if (this.#jobs[0] === job) {
        if (isBusy(error)) throw error
        this.#jobs.shift()
      }
      this.#connection.noticeFailure(error)
      job.reject(MemoryError.is(error) ? error : fromSqlite(job.attempt, error))
    } finally {
      // Takes back what was not committed.
      connection?.close()
    }
  }

  /** A statement failed: nothing of this batch is stored. If the file is sound, only the job at fault is refused and the others run again. */
  #abort(error: unknown, done: readonly Done[]): void {
    this.#rollback()
    this.#connection.noticeFailure(error)
    const culprit = this.#jobs.shift()
    culprit?.reject(fromSqlite(culprit.attempt, error))
    if (!isFileFailure(error)) {
      this.#jobs.unshift(...done.map(({ job }) => job))
      return
    }
    for (const { job } of done) job.reject(fromSqlite(job.attempt, error))
  }

  #rollback(): void {
    try {
      const database = this.#connection.database()
      if (database.inTransaction) database.exec('ROLLBACK')
    } catch (error) {
      this.#connection.noticeFailure(error)
    }
  }

  /** SQLite writes back 1,000 pages at a time as it goes; what is left over goes when there is time. */
  #checkpointWhenIdle(): void {
    if (this.#connection.file === IN_MEMORY) return
    // One timer, which each burst postpones: a new one for every append would cost more than the append's hash.
    this.#idle ??= setTimeout(() => {
      if (this.#connection.closed || this.#draining !== undefined) return
      this.#connection.checkpoint()
      keepBallast(this.#connection.file)
    }, IDLE_MS_CHECKPOINT).unref()
    this.#idle.refresh()
  }
}

function readOnly(attempt: string, file: string): MemoryError {
  return new MemoryError(
    'store/read-only',
    `Cannot ${attempt}: the memory was opened with readOnly, expected one that is opened for writing`,
    { file },
  )
}

interface Done {
  readonly job: Job
  readonly value?: unknown
  readonly refusal?: MemoryError
}

function attemptJob(job: Job): Omit<Done, 'job'> {
  try {
    return { value: job.run() }
  } catch (error) {
    if (MemoryError.is(error)) return { refusal: error }
    throw error
  }
}
