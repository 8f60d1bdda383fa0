import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { fromSqlite } from './errors.ts'
import { IN_MEMORY } from './open-database.ts'
import { folderProblem } from '../../domain/folder-problem.ts'

/**
 * Copies a database, as of one moment, into a new file beside others' writes. It is written under another name, synced and
 * checked, and only then gets the name that was asked for: whoever finds the file finds a whole one.
 */
export async function backup(
  database: Database,
  { file: from, key }: { readonly file: string; readonly key: Uint8Array | undefined },
  to: string,
  check: (copy: string) => Promise<void>,
): Promise<{ readonly bytes: number }> {
  if (existsSync(to)) throw exists(to)
  const partial = `${to}.partial-${randomBytes(6).toString('hex')}`
  try {
    await createPrivately(partial)
    if (from === IN_MEMORY) await database.backup(partial)
    else await copyInThread(from, partial, key)
    await sync(partial)
    await check(partial)
    await sync(partial)
    const { size } = await stat(partial)
    await giveName(partial, to)
    return { bytes: size }
  } catch (error) {
    throw backupError(to, error)
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${partial}${end}`, { force: true })
    await sync(dirname(to)).catch(() => undefined)
  }
}

/** Unlike a rename, a link never takes the place of a file that came meanwhile. */
async function giveName(partial: string, to: string): Promise<void> {
  try {
    await link(partial, to)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(to) : error
  }
  await sync(dirname(to))
}

/** SQLite takes an empty file as it is, and would make one that everybody can read. */
async function createPrivately(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close()
}

/** In a thread of its own: it reads everything, and SQLite cannot be interrupted. */
function copyInThread(file: string, copy: string, key: Uint8Array | undefined): Promise<void> {
  const { port1: answer, port2: port } = new MessageChannel()
  const worker = new Worker(new URL(`./copy-worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { file, copy, key, answer: port },
    transferList: [port],
  })
  return new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    // Not before the thread has closed the file: whoever closes it next must be the last to do so.
    worker.once('exit', (code) => {
      if (receiveMessageOnPort(answer) === undefined)
        reject(new Error(`the copy ended with ${code} before it was done`))
      else resolve()
    })
  }).finally(() => answer.close())
}

/** SQLite syncs nothing of a `VACUUM INTO` (https://www.sqlite.org/lang_vacuum.html#vacuuminto). */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function exists(file: string): MemoryError {
  return new MemoryError(
    'store/exists',
    `Cannot write ${quote(file)}: a file with this name exists. Choose another name`,
    {
      file,
    },
  )
}

function backupError(to: string, error: unknown): MemoryError {
  const { code } = error as NodeJS.ErrnoException
  if (MemoryError.is(error)) return error
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR')
    return new MemoryError(
      'store/cannot-open',
      `Cannot back up to ${quote(to)}: ${folderProblem(dirname(to), error)}`,
      { file: to, code },
      error,
    )
  if (/\bE[MN]FILE\b/.test(`${code} ${String(error)}`))
    return new MemoryError(
      'store/busy',
      `Cannot back up to ${quote(to)}: too many files are open, try again with fewer or with a higher limit`,
      { file: to, code },
      error,
    )
  if (code === 'ENOSPC')
    return new MemoryError('store/full', `Cannot back up to ${quote(to)}: the disk is full`, {}, error)
  return fromSqlite(`back up to ${quote(to)}`, error)
}
