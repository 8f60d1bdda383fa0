import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Connection } from './connection.ts'
import { fromSqlite, isBusy } from './errors.ts'
import { IN_MEMORY } from './open-database.ts'
import { retryBusy } from './retry-busy.ts'

/** How long a reader in another process may keep us from emptying the write-ahead log. Then it is tried again later. */
const WAIT_MS_MAX = 2_000
/** A file of this size is rewritten in about 20 ms; a larger one would hold the event loop. */
const BYTES_WRITTEN_HERE_MAX = 4 * 1024 * 1024

/**
 * Overwrites what the file still has of deleted rows. `secure_delete` zeroes a cell where it stands, but not the copies that
 * stay in the gaps of pages when cells move to a neighbour (measured: 1 in 250 deleted texts), so the file is rewritten.
 * Then the write-ahead log, which has pages from before, is emptied. Whoever asks while one is under way shares the next.
 */
export class SqliteScrubber {
  readonly #connection: Connection
  readonly #key: Uint8Array | undefined
  #running: Promise<boolean> | undefined
  #next: Promise<boolean> | undefined

  constructor(connection: Connection, key: Uint8Array | undefined) {
    this.#connection = connection
    this.#key = key
  }

  scrub(): Promise<boolean> {
    if (this.#connection.file === IN_MEMORY) return Promise.resolve(true)
    if (this.#running === undefined) return this.#run()
    // One that began before the caller's rows were deleted may have passed them by.
    this.#next ??= this.#running.then(
      () => this.#run(),
      () => this.#run(),
    )
    return this.#next
  }

  #run(): Promise<boolean> {
    this.#next = undefined
    const run = this.#scrub().finally(() => {
      if (this.#running === run) this.#running = undefined
    })
    this.#running = run
    return run
  }

  async #scrub(): Promise<boolean> {
    await this.#vacuum()
    const deadline = performance.now() + WAIT_MS_MAX
    for (;;) {
      try {
        if (this.#connection.emptyLog()) return true
      } catch (error) {
        this.#connection.noticeFailure(error)
        if (!isBusy(error)) throw fromSqlite('overwrite what was forgotten', error)
      }
      if (performance.now() > deadline) return false
      await setTimeout(20)
    }
  }

  #vacuum(): Promise<void> {
    const { file } = this.#connection
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > BYTES_WRITTEN_HERE_MAX)
      return vacuumElsewhere(file, this.#key)
    return retryBusy(
      'overwrite what was forgotten',
      () => void this.#connection.database().exec('VACUUM'),
      (error) => this.#connection.noticeFailure(error),
    )
  }
}

/** In a thread of its own: SQLite cannot be interrupted. */
function vacuumElsewhere(file: string, key: Uint8Array | undefined): Promise<void> {
  const worker = new Worker(new URL(`./vacuum-worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { file, key },
  })
  return new Promise((resolve, reject) => {
    worker.once('error', (error) => reject(fromSqlite('overwrite what was forgotten', error)))
    // Not before the thread has closed the file.
    worker.once('exit', () => resolve())
  })
}
