import type { Database, Statement } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { isDiskFailure } from './errors.ts'
import { openDatabase } from './open-database.ts'

/**
 * The one handle to the file. After a disk failure the handle is thrown away, because what it believes may no longer be
 * on the disk; the next use opens the file anew and reads what is really there.
 */
export class Connection {
  readonly file: string
  readonly #now: () => number
  readonly #statements = new Map<string, Statement>()
  #database: Database | undefined
  #closed = false

  constructor(file: string, now: () => number) {
    this.file = file
    this.#now = now
    this.#database = openDatabase(file, now)
  }

  get closed(): boolean {
    return this.#closed
  }

  database(): Database {
    if (this.#closed) throw new MemoryError('store/closed', 'Cannot use this memory: it was closed, open another', {})
    if (this.#database === undefined) {
      this.#database = openDatabase(this.file, this.#now)
      // What a failed sync left in the page cache is written again to the database file and synced there.
      this.checkpoint()
    }
    return this.#database
  }

  /** Statements are prepared once and kept: preparing costs more than running. */
  statement(sql: string): Statement {
    const database = this.database()
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** Writes the WAL back and empties it. Best effort: what cannot be written back now stays in it, as durable as before. */
  checkpoint(): void {
    try {
      this.database().pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      this.noticeFailure(error)
    }
  }

  /** Call with every error that came out of the handle. */
  noticeFailure(error: unknown): void {
    if (isDiskFailure(error)) this.#drop()
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  #drop(): void {
    const database = this.#database
    this.#database = undefined
    this.#statements.clear()
    try {
      database?.close()
    } catch {
      // A handle on a failing disk may fail to close as well; there is nothing left to do with it.
    }
  }
}
