import { randomBytes } from 'node:crypto'
import { constants, existsSync, statSync } from 'node:fs'
import { chmod, copyFile, link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { exists, sync } from './backup.ts'
import type { Driver } from './driver.ts'
import { isBusy } from './errors.ts'
import { checkHeader } from './header.ts'
import { identityOf, isOpenHere } from './open-files.ts'

const BESIDE = ['-wal', '-shm', '-journal'] as const

export interface Restoring {
  readonly force: boolean
  readonly stamp: string
  /** How a memory that is there already is opened, to see that nobody uses it. */
  readonly driver: Driver
  readonly check: (copy: string) => Promise<void>
}

/**
 * Puts a copy of a backup where a memory should be. The copy is checked before anything else is touched; a memory that is
 * there already is kept beside it, under the name that is answered.
 */
export async function restoreFile(
  from: string,
  to: string,
  { force, stamp, driver, check }: Restoring,
): Promise<{ readonly former: string | null }> {
  checkBackup(from)
  if (existsSync(to) && !force) throw exists(to)
  const copy = `${to}.restoring-${randomBytes(6).toString('hex')}`
  try {
    await copyFile(from, copy, constants.COPYFILE_EXCL)
    await chmod(copy, 0o600)
    await check(copy)
    await sync(copy)
    const former = await putAside(to, stamp, driver)
    // In one step where something is: whoever is killed here leaves a memory under its name, the old one or the new one.
    await (former === null ? link(copy, to) : rename(copy, to))
    return { former }
  } finally {
    for (const end of ['', ...BESIDE]) await rm(`${copy}${end}`, { force: true })
    await sync(dirname(to))
  }
}

/** What is in use is no backup: its last messages may be in the log beside it, which a copy of the file misses. */
function checkBackup(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile())
    throw new MemoryError('store/cannot-open', `Cannot restore from ${quote(file)}: there is no such file`, { file })
  const used = isOpenHere(identityOf(file))
    ? 'it is open'
    : (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
      ? 'it has a write-ahead log beside it'
      : undefined
  if (used !== undefined)
    throw new MemoryError(
      'store/busy',
      `Cannot restore from ${quote(file)}: ${used}, expected a file that backup() made`,
      { file },
    )
}

/**
 * The former memory gets a second name; it keeps its own until the new one takes it. A log that stays beside a new file would be
 * played into it: it goes along, even if its file is gone.
 */
async function putAside(file: string, stamp: string, driver: Driver): Promise<string | null> {
  const there = existsSync(file)
  if (there) checkUnused(file, driver)
  const former = freeName(`${file}.former-${stamp}`)
  if (there) await link(file, former)
  for (const end of BESIDE) if (existsSync(`${file}${end}`)) await rename(`${file}${end}`, `${former}${end}`)
  return there ? former : null
}

function freeName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (![name, ...BESIDE.map((end) => `${name}${end}`)].some((file) => existsSync(file))) return name
  }
}

/** Leaving WAL mode takes everybody else to have closed the file, and leaves one tidy file. */
function checkUnused(file: string, driver: Driver): void {
  if (isOpenHere(identityOf(file))) throw inUse(file)
  // Not opened if it does not look like a database: SQLite would throw away the log beside it, and with it what can be saved.
  if (!isDatabase(file, driver.encrypted)) return
  let database: Database | undefined
  try {
    database = driver.open(file, { fileMustExist: true, timeout: 0 })
    database.pragma('journal_mode = DELETE')
  } catch (error) {
    if (isBusy(error)) throw inUse(file)
    // Damaged: that may be why somebody restores. It is kept as it is.
  } finally {
    database?.close()
  }
}

function isDatabase(file: string, encrypted: boolean): boolean {
  try {
    checkHeader(file, Number.POSITIVE_INFINITY, encrypted)
    return true
  } catch {
    return false
  }
}

function inUse(file: string): MemoryError {
  return new MemoryError(
    'store/busy',
    `Cannot restore over ${quote(file)}: another process has it open. Close it first`,
    { file },
  )
}
