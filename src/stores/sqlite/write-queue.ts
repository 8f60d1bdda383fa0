import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import type { Connection } from './connection.ts'
import { fromSqlite, isDiskFailure, isFileFailure, unknownOutcome } from './errors.ts'
import { IN_MEMORY } from './open-database.ts'
import { patiently } from './patiently.ts'

/** A batch ends when it has run this long: callers share a sync, but nobody holds the event loop. */
const BATCH_MS_MAX = 6
const IDLE_MS_CHECKPOINT = 1_000

interface Job {
  readonly attempt: string
  /** Reads, decides, writes. Throws a MemoryError only before it has written anything. */
  readonly run: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
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
  #idle: NodeJS.Timeout | undefined

  constructor(connection: Connection, onCommit: () => void) {
    this.#connection = connection
    this.#onCommit = onCommit
  }

  async write<Result>(attempt: string, run: () => Result): Promise<Result> {
    if (this.#connection.closed) this.#connection.database()
    const result = new Promise<unknown>((resolve, reject) => this.#jobs.push({ attempt, run, resolve, reject }))
    this.#draining ??= this.#drain()
    return result as Promise<Result>
  }

  /** Resolves when nothing is queued any more. */
  async settled(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
    clearTimeout(this.#idle)
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that everybody who wants to write in this turn joins the first batch.
    await setImmediate()
    while (this.#jobs.length > 0) {
      await this.#commitBatch()
      await setImmediate()
    }
    this.#draining = undefined
    this.#checkpointWhenIdle()
  }

  async #commitBatch(): Promise<void> {
    try {
      await patiently(
        'begin to write',
        () => this.#connection.statement('BEGIN IMMEDIATE').run(),
        (error) => this.#connection.noticeFailure(error),
      )
    } catch (error) {
      for (const job of this.#jobs.splice(0)) job.reject(error)
      return
    }
    const done: { job: Job; value: unknown }[] = []
    const started = performance.now()
    try {
      do {
        const job = this.#jobs[0]
        if (job === undefined) break
        const value = attemptJob(job)
        this.#jobs.shift()
        if (value instanceof Refusal) job.reject(value.error)
        else done.push({ job, value: value.value })
      } while (performance.now() - started < BATCH_MS_MAX)
    } catch (error) {
      this.#abort(error, done)
      return
    }
    this.#commit(done)
  }

  #commit(done: readonly { readonly job: Job; readonly value: unknown }[]): void {
    try {
      this.#connection.statement('COMMIT').run()
    } catch (error) {
      this.#rollback()
      this.#connection.noticeFailure(error)
      const failure = (job: Job): MemoryError =>
        isDiskFailure(error) ? unknownOutcome(job.attempt, error) : fromSqlite(job.attempt, error)
      for (const { job } of done) job.reject(failure(job))
      return
    }
    for (const { job, value } of done) job.resolve(value)
    if (done.length > 0) this.#onCommit()
  }

  /** A statement failed: nothing of this batch is stored. If the file is sound, only the job at fault is refused and the others run again. */
  #abort(error: unknown, done: readonly { readonly job: Job }[]): void {
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
    // One timer for ever, pushed back by each burst: making one for every append would cost more than the append's hash.
    this.#idle ??= setTimeout(() => {
      if (!this.#connection.closed && this.#draining === undefined) this.#connection.checkpoint()
    }, IDLE_MS_CHECKPOINT).unref()
    this.#idle.refresh()
  }
}

class Refusal {
  readonly error: MemoryError

  constructor(error: MemoryError) {
    this.error = error
  }
}

function attemptJob(job: Job): Refusal | { readonly value: unknown } {
  try {
    return { value: job.run() }
  } catch (error) {
    if (MemoryError.is(error)) return new Refusal(error)
    throw error
  }
}
