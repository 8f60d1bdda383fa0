import { closeSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { shownIn } from '../sql/shown-blobs.ts'
import { migrations } from '../sql/migrations/index.ts'
import { BLOBS_SHOWN, NOW } from './dialect.ts'
import type { Driver } from './driver.ts'
import { fromSqlite, isNotDatabase } from './errors.ts'
import { checkHeader, checkFileOwner, fileKeyNeeded } from './header.ts'
import { checkApplied, migrateFile, readOwner, refuseForeignTables } from './migrate.ts'
import { identityOf, isOpenHere } from './open-files.ts'
import { folderProblem } from '../../domain/folder-problem.ts'
import { systemProblem } from '../../domain/system-problem.ts'

/** Older versions can corrupt a WAL file when two connections write and checkpoint at once (https://www.sqlite.org/wal.html). */
const SQLITE_VERSION_MIN = '3.51.3'
/** While opening, nothing else waits for us, so SQLite may wait for the lock by itself. */
const OPEN_WAIT_MS = 10_000

export const IN_MEMORY = ':memory:'

/**
 * Opens a file as ours: checks whose it is, creates it for its owner's eyes only, sets it up to be durable, brings its schema up to date.
 * @param checkSame For a file that was open before: throws if another one is in its place. Nothing is created or brought up to date.
 */
export function openDatabase(file: string, now: () => number, driver: Driver, checkSame?: () => void): Database {
  const { encrypted } = driver
  checkSame?.()
  if (file !== IN_MEMORY && !isOpenHere(identityOf(file))) {
    checkHeader(file, migrations.length, encrypted)
    if (checkSame === undefined) createPrivately(file)
    else checkWritable(file)
  }
  let database: Database | undefined
  try {
    database = driver.open(file, { timeout: OPEN_WAIT_MS, fileMustExist: checkSame !== undefined })
    // Again, because the file may have been replaced meanwhile. Nothing was read or written yet.
    checkSame?.()
    checkVersion(database)
    if (encrypted) checkFileOwner(file, readOwner(database), migrations.length)
    // Before anything is set: some settings are written into the file.
    refuseForeignTables(database, file)
    configure(database, file)
    if (checkSame === undefined) migrateFile(database, file, migrations, now)
    else checkApplied(database, file, migrations)
    addFunctions(database, sharedClock(file, now))
    return database
  } catch (error) {
    database?.close()
    throw isNotDatabase(error) && file !== IN_MEMORY
      ? unreadable(file, encrypted, error)
      : fromSqlite(`open ${quote(file)}`, error)
  }
}

/** Opens a file of ours to read it: nothing is created, changed or brought up to date. */
export function openToRead(file: string, driver: Driver): Database {
  if (!isOpenHere(identityOf(file))) checkHeader(file, migrations.length, driver.encrypted)
  let database: Database | undefined
  try {
    database = driver.open(file, { readonly: true, fileMustExist: true, timeout: OPEN_WAIT_MS })
    checkVersion(database)
    checkFileOwner(file, readOwner(database), migrations.length)
    refuseForeignTables(database, file)
    database.pragma('trusted_schema = OFF')
    database.pragma('cell_size_check = ON')
    database.pragma('temp_store = MEMORY')
    checkApplied(database, file, migrations)
    addFunctions(database, Date.now)
    return database
  } catch (error) {
    database?.close()
    throw isNotDatabase(error) ? unreadable(file, driver.encrypted, error) : fromSqlite(`open ${quote(file)}`, error)
  }
}

function addFunctions(database: Database, now: () => number): void {
  database.function(NOW, now)
  database.aggregate(BLOBS_SHOWN, blobsShown)
  // From here on, waiting for a lock is done between turns of the event loop, not inside it.
  database.pragma('busy_timeout = 0')
}

/** Called with bodies one by one, so that none of them has to be held. */
const blobsShown = {
  start: (): Set<string> => new Set(),
  step: (shown: Set<string>, body: unknown): void => {
    for (const hash of shownIn(String(body))) shown.add(hash)
  },
  result: (shown: Set<string>): string => JSON.stringify([...shown]),
}

/** All who open a file are on one machine, and go by its clock whatever each was given. What is only in memory has one handle. */
function sharedClock(file: string, now: () => number): () => number {
  return file === IN_MEMORY ? now : Date.now
}

/** The header was looked at before; what still is no database has another key, or none was given and it is open here with one. */
function unreadable(file: string, encrypted: boolean, error: unknown): MemoryError {
  if (encrypted) return wrongKey(file, error)
  return isOpenHere(identityOf(file)) ? fileKeyNeeded(file) : fromSqlite(`open ${quote(file)}`, error)
}

function wrongKey(file: string, cause: unknown): MemoryError {
  return new MemoryError(
    'encryption/wrong-key',
    `Cannot open ${quote(file)}: it cannot be read with this key, expected the key that it was encrypted with`,
    { file },
    cause,
  )
}

function checkVersion(database: Database): void {
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get())
  if (compareVersions(version, SQLITE_VERSION_MIN) >= 0) return
  throw new MemoryError('store/unsupported', `Cannot use SQLite ${version}: expected at least ${SQLITE_VERSION_MIN}`, {
    found: version,
    wanted: SQLITE_VERSION_MIN,
  })
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** SQLite makes files that everyone can read, and gives the WAL the mode of the database: so the database comes first. */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return checkWritable(file)
    const kind = code === 'EROFS' ? 'store/read-only' : code === 'ENOSPC' ? 'store/full' : 'store/cannot-open'
    throw new MemoryError(
      kind,
      `Cannot create ${quote(file)}: ${folderProblem(dirname(file), error)}`,
      { file, code },
      error,
    )
  }
}

function checkWritable(file: string): void {
  if (!statSync(file).isFile())
    throw new MemoryError('store/cannot-open', `Cannot open ${quote(file)}: it is not a file, expected a file`, {
      file,
    })
  try {
    closeSync(openSync(file, 'r+'))
  } catch (error) {
    throw new MemoryError(
      'store/read-only',
      `Cannot open ${quote(file)}: it cannot be written: ${systemProblem(error)}, expected permission to write it, or readOnly: true (--read-only) to read it`,
      { file },
      error,
    )
  }
}

function configure(database: Database, file: string): void {
  database.pragma('trusted_schema = OFF')
  database.pragma('cell_size_check = ON')
  database.pragma('foreign_keys = ON')
  database.pragma('secure_delete = ON')
  database.pragma('temp_store = MEMORY')
  database.pragma('mmap_size = 0')
  if (file === IN_MEMORY) return
  const mode = database.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new MemoryError(
      'store/unsupported',
      `Cannot open ${quote(file)}: its disk does not allow a write-ahead log (mode ${quote(mode)}), expected a local disk`,
      { file, mode },
    )
  // The driver's default, NORMAL, loses acknowledged rows in a power cut.
  database.pragma('synchronous = FULL')
  database.pragma('journal_size_limit = 67108864')
  // 1,000 pages take about 5 ms to write back: rare enough to be cheap, small enough not to hold the event loop.
  database.pragma('wal_autocheckpoint = 1000')
}
