import type { Database, Statement } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { Driver } from './driver.ts'
import { isDiskFailure } from './errors.ts'
import { FileInPlace } from './file-in-place.ts'
import { IN_MEMORY, openDatabase, openToRead } from './open-database.ts'
import { holdOpen, identityOf } from './open-files.ts'

/** Whether a file may be changed; a copy of one is opened as usual and then only read. */
export type FileAccess = 'write' | 'read' | 'read-copy'

/** A file, and how to open it. */
interface GivenFile {
  readonly file: string
  readonly now: () => number
  readonly driver: Driver
  readonly access?: FileAccess
}

/**
 * The one handle to the file. After a disk failure the handle is thrown away, because what it has in memory may not be
 * on the disk; the next use opens the same file again and reads what is there.
 */
export class Connection {
  readonly file: string
  readonly #now: () => number
  readonly #driver: Driver
  readonly #access: FileAccess
  readonly #statements = new Map<string, Statement>()
  readonly #listing = new Map<string, Statement>()
  readonly #identity: string | undefined
  #place: FileInPlace | undefined
  #database: Database | undefined
  #release: () => void = () => undefined
  #closed = false
  #generation = 0

  /** @param first Another connection to the file: opens the same file as that one, or fails. */
  constructor({ file, now, driver, access = 'write' }: GivenFile, first?: Connection) {
    this.file = file
    this.#now = now
    this.#driver = driver
    this.#access = access
    this.#database = this.#open(first && (() => first.#checkInPlace()))
    this.#identity = first === undefined ? identityOf(file) : first.#identity
    this.#place = this.#newPlace()
    this.#hold()
  }

  get closed(): boolean {
    return this.#closed
  }

  get readOnly(): boolean {
    return this.#access !== 'write'
  }

  /** Rises with every new handle: what was learned from an older one may be wrong. */
  get generation(): number {
    return this.#generation
  }

  database(): Database {
    if (this.#closed) throw new MemoryError('store/closed', 'Cannot use this memory: it was closed, open another', {})
    return this.#database ?? this.#reopen()
  }

  /** A second handle to the same file. Fails if the file that was opened is no longer in its place. */
  another(): Connection {
    this.database()
    return new Connection({ file: this.file, now: this.#now, driver: this.#driver, access: this.#access }, this)
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

  /** The same, giving rows as lists. Kept apart: telling a statement each time how to give its rows costs as much as a small one. */
  listing(sql: string): Statement {
    const database = this.database()
    let statement = this.#listing.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql).raw(true)
      this.#listing.set(sql, statement)
    }
    return statement
  }

  /** Writes the WAL back and empties it. Best effort: what cannot be written back now stays in it, as durable as before. */
  checkpoint(): void {
    if (this.readOnly) return
    try {
      this.database().pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      this.noticeFailure(error)
    }
  }

  /** The same, and whether it could: not while somebody reads what was there before. */
  emptyLog(): boolean {
    const [answer] = this.database().pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
    return answer?.busy === 0
  }

  /** Call with every error that came out of the handle. What is only in memory has no disk to be read again from. */
  noticeFailure(error: unknown): void {
    if (isDiskFailure(error) && this.file !== IN_MEMORY) this.#drop()
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  /** @param checkSame Throws if the file is not the one that was opened before. Without it, a missing file is created. */
  #open(checkSame?: () => void): Database {
    if (this.#access === 'read') {
      checkSame?.()
      return openToRead(this.file, this.#driver)
    }
    const database = openDatabase(this.file, this.#now, this.#driver, checkSame)
    if (this.#access === 'read-copy') database.pragma('query_only = ON')
    return database
  }

  /** The same file or none: acknowledging into a new, empty one would lose everything that was in it. */
  #reopen(): Database {
    const database = this.#open(() => {
      if (identityOf(this.file) !== this.#identity) throw this.#replaced()
    })
    try {
      // What a failed sync left in the page cache is written again to the database file and synced there. Without that,
      // a retry could be answered from rows that are on no disk.
      if (!this.readOnly) database.pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      database.close()
      throw error
    }
    this.#database = database
    this.#generation += 1
    this.#hold()
    return database
  }

  /** Whether what was committed is in the file that others find under its name. */
  isInPlace(): boolean {
    return this.#place?.check() !== false
  }

  #newPlace(): FileInPlace | undefined {
    return this.#identity === undefined ? undefined : new FileInPlace(this.file, this.#identity)
  }

  #checkInPlace(): void {
    if (!this.isInPlace()) throw this.abandon()
  }

  /** After `isInPlace` said no: the handle is of no use any more. */
  abandon(): MemoryError {
    this.#drop()
    return this.#replaced()
  }

  #replaced(): MemoryError {
    const found = identityOf(this.file)
    const what =
      found === undefined
        ? 'the file is gone'
        : found === this.#identity
          ? 'its write-ahead log was removed or replaced'
          : 'the file was replaced by another'
    return new MemoryError(
      'store/replaced',
      `Cannot use ${quote(this.file)}: ${what} while it was in use. Open the memory again`,
      { file: this.file },
    )
  }

  #hold(): void {
    if (this.#identity !== undefined) this.#release = holdOpen(this.#identity)
  }

  #drop(): void {
    const database = this.#database
    this.#database = undefined
    this.#place = this.#newPlace()
    this.#statements.clear()
    this.#listing.clear()
    try {
      database?.close()
    } catch {
      // A handle on a failing disk may fail to close as well; there is nothing left to do with it.
    }
    this.#release()
    this.#release = () => undefined
  }
}
