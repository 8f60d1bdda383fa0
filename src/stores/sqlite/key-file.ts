import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import type { Database, Statement } from 'better-sqlite3'
import { blockPlaces } from '../../domain/block-place.ts'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { DataKeyRow, KeyStore } from '../../ports/key-store.ts'
import { fromSqlite } from './errors.ts'
import { type OpenFile, loadSqlite } from './load-sqlite.ts'
import { IN_MEMORY } from './open-database.ts'

/** 'DBky' in ASCII. */
const APPLICATION_ID = 0x44_42_6b_79
const VERSION = 1
/** Each call is a few rows; others hold the file for as long. */
const WAIT_MS = 10_000

const columns = 'id, scope, session, purpose, master, wrapped'

type Statements = Readonly<
  Record<
    | 'add'
    | 'byId'
    | 'ofScope'
    | 'ofState'
    | 'ofStateAndBlocks'
    | 'ofStateBelow'
    | 'by'
    | 'notBy'
    | 'rewrap'
    | 'destroy'
    | 'destructions'
    | 'count'
    | 'mark',
    Statement
  >
>

function prepare(database: Database): Statements {
  return {
    add: database.prepare(`INSERT INTO keys (${columns}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`),
    byId: database.prepare(`SELECT ${columns} FROM keys WHERE id = ?`),
    ofScope: database.prepare(`SELECT ${columns} FROM keys WHERE scope = ? AND purpose = 'content'`),
    ofState: database.prepare(`SELECT ${columns} FROM keys WHERE scope = ? AND session = ? AND purpose = 'state'`),
    ofStateAndBlocks: database.prepare(
      `SELECT ${columns} FROM keys WHERE scope = ? AND purpose = 'state' AND (session = ? OR (session >= ? AND session < ?))`,
    ),
    // `0` is the character after the slash.
    ofStateBelow: database.prepare(
      `SELECT ${columns} FROM keys WHERE purpose = 'state' AND session = ? AND (scope = ? OR (scope > ? || '/' AND scope < ? || '0'))`,
    ),
    by: database.prepare(`SELECT ${columns} FROM keys WHERE master = ? ORDER BY id LIMIT ?`),
    notBy: database.prepare(`SELECT ${columns} FROM keys WHERE master <> ? ORDER BY id LIMIT ?`),
    rewrap: database.prepare('UPDATE keys SET master = ?, wrapped = ? WHERE id = ?'),
    destroy: database.prepare('DELETE FROM keys WHERE id = ?'),
    destructions: database.prepare('SELECT times FROM destructions').pluck(),
    count: database.prepare(
      'INSERT INTO destructions (one, times) VALUES (1, 1) ON CONFLICT DO UPDATE SET times = times + 1',
    ),
    mark: database.prepare('INSERT INTO unwritten (one) VALUES (1) ON CONFLICT DO NOTHING'),
  }
}

/** Data keys in an SQLite file of their own, beside the memory. */
export async function openKeyFile(file: string, readOnly = false): Promise<KeyStore> {
  const openFile = await loadSqlite('better-sqlite3')
  const database = readOnly ? openToRead(file, openFile) : open(file, openFile)
  const attempt = async <Result>(what: string, run: () => Result): Promise<Result> => {
    try {
      return run()
    } catch (error) {
      throw fromSqlite(`${what} in ${quote(file)}`, error)
    }
  }
  const prepared = prepare(database)
  return {
    add: ({ id, scope, session, purpose, master, wrapped }) =>
      attempt('keep a data key', () => void prepared.add.run(id, scope, session, purpose, master, wrapped)),
    byId: (id) => attempt('read a data key', () => prepared.byId.get(id) as DataKeyRow | undefined),
    ofScope: (scope) => attempt('read data keys', () => prepared.ofScope.all(scope) as DataKeyRow[]),
    ofState: (scope, session) =>
      attempt('read a data key', () => prepared.ofState.get(scope, session) as DataKeyRow | undefined),
    ofStateAndBlocks: (scope, session) =>
      attempt(
        'read data keys',
        () => prepared.ofStateAndBlocks.all(scope, session, ...blockPlaces(session)) as DataKeyRow[],
      ),
    ofStateBelow: (scope, session) =>
      attempt('read data keys', () => prepared.ofStateBelow.all(session, scope, scope, scope) as DataKeyRow[]),
    wrappedBy: (master, limit) =>
      attempt(
        'read data keys',
        () =>
          ('is' in master
            ? prepared.by.all(master.is, limit)
            : prepared.notBy.all(master.isNot, limit)) as DataKeyRow[],
      ),
    rewrap: (rows) =>
      attempt('wrap data keys again', () =>
        database.transaction(() => {
          for (const { id, master, wrapped } of rows) prepared.rewrap.run(master, wrapped, id)
          prepared.mark.run()
        })(),
      ),
    destroy: (ids) =>
      attempt('destroy data keys', () => {
        const gone = database.transaction(() => {
          const rows = ids.reduce((sum, id) => sum + prepared.destroy.run(id).changes, 0)
          if (rows > 0) {
            prepared.mark.run()
            prepared.count.run()
          }
          return rows
        })()
        writeAnew(database)
        return gone
      }),
    destructions: () => attempt('read the key file', () => Number(prepared.destructions.get() ?? 0)),
    close: async () => void database.close(),
  }
}

/**
 * Cells that moved leave copies in the gaps of pages, which `secure_delete` does not reach: the file is rewritten. A flag for
 * this is stored in the same transaction, so that after a crash the next process rewrites it.
 */
function writeAnew(database: Database): void {
  if (database.prepare('SELECT one FROM unwritten').get() === undefined) return
  database.exec('VACUUM')
  database.exec('DELETE FROM unwritten')
}

/**
 * For its owner's eyes only, also where it came from a copy that had another mode. Made without opening one that is there: closing it
 * again would drop the locks that another handle of this process has on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const { mode } = statSync(file)
    if ((mode & 0o077) !== 0) tighten(file, mode)
  }
}

function tighten(file: string, mode: number): void {
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    throw new MemoryError(
      'store/cannot-open',
      `Cannot open the key file ${quote(file)}: others may use it (mode ${(mode & 0o777).toString(8)}) and that cannot be changed (${(error as NodeJS.ErrnoException).code}), expected mode 600`,
      { file, mode: mode & 0o777 },
      error,
    )
  }
}

function openToRead(file: string, openFile: OpenFile): Database {
  let database: Database | undefined
  try {
    database = openFile(file, { readonly: true, fileMustExist: true, timeout: WAIT_MS })
    checkOwner(database, file)
    return database
  } catch (error) {
    database?.close()
    throw fromSqlite(`open the key file ${quote(file)}`, error)
  }
}

function checkOwner(database: Database, file: string): void {
  const owner = Number(database.pragma('application_id', { simple: true }))
  const isEmpty = database.prepare('SELECT name FROM sqlite_schema LIMIT 1').get() === undefined
  if (owner === APPLICATION_ID || isEmpty) return
  throw new MemoryError(
    'store/foreign',
    `Cannot open the key file ${quote(file)}: it is another database, expected a key file or none`,
    { file },
  )
}

function open(file: string, openFile: OpenFile): Database {
  let database: Database | undefined
  try {
    // SQLite would make one that everybody can read, and takes an empty one as it is.
    if (file !== IN_MEMORY) makePrivate(file)
    database = openFile(file, { timeout: WAIT_MS })
    checkOwner(database, file)
    configure(database)
    writeAnew(database)
    return database
  } catch (error) {
    database?.close()
    throw fromSqlite(`open the key file ${quote(file)}`, error)
  }
}

/** A rollback journal, gone after each change: a write-ahead log would keep pages with keys that were destroyed. */
function configure(database: Database): void {
  database.pragma('journal_mode = DELETE')
  // Also syncs the directory after the journal went: a journal that came back after a power cut would bring a key back.
  database.pragma('synchronous = EXTRA')
  database.pragma('secure_delete = ON')
  database.pragma('temp_store = MEMORY')
  database.pragma('trusted_schema = OFF')
  database.transaction(() => {
    database.exec(`CREATE TABLE IF NOT EXISTS keys (
      id TEXT PRIMARY KEY, scope TEXT NOT NULL, session TEXT NOT NULL, purpose TEXT NOT NULL,
      master TEXT NOT NULL, wrapped BLOB NOT NULL
    ) WITHOUT ROWID`)
    database.exec('CREATE TABLE IF NOT EXISTS unwritten (one INTEGER PRIMARY KEY)')
    database.exec('CREATE TABLE IF NOT EXISTS destructions (one INTEGER PRIMARY KEY, times INTEGER NOT NULL)')
    database.exec('CREATE INDEX IF NOT EXISTS keys_of_scope ON keys (scope)')
    database.exec(`CREATE UNIQUE INDEX IF NOT EXISTS keys_of_state ON keys (scope, session) WHERE purpose = 'state'`)
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.pragma(`user_version = ${VERSION}`)
  })()
}
