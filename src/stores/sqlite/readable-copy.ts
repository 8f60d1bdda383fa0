import { rmSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'

const ATTEMPTS_MAX = 5
const PARTS = ['', '-wal'] as const

/** A copy of a database file in a private folder. */
export interface ReadableCopy {
  readonly file: string
  /** Removes the copy. It is also removed when the process exits. */
  remove(): void
}

/**
 * Copies a database and its write-ahead log to the temporary folder. SQLite needs to write beside a file with a write-ahead log
 * even if it only reads it, which a read-only medium does not allow.
 *
 * @throws {MemoryError} `store/busy` if another process writes to the file all the time.
 */
export async function readableCopy(file: string): Promise<ReadableCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-'))
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const remove = (): void => {
    process.off('exit', removeFolder)
    removeFolder()
  }
  try {
    const copy = join(folder, basename(file))
    await copyUnchanged(file, copy)
    return { file: copy, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The two files belong together: if one changed while they were copied, both are copied again. */
async function copyUnchanged(file: string, copy: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const before = await stampOf(file)
    for (const part of PARTS) await copyIfThere(`${file}${part}`, `${copy}${part}`)
    if ((await stampOf(file)) === before) return
  }
  throw new MemoryError('store/busy', `Cannot copy ${quote(file)}: it changed during each attempt, try again`, { file })
}

async function copyIfThere(from: string, to: string): Promise<void> {
  rmSync(to, { force: true })
  try {
    await copyFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && from.endsWith('-wal')) return
    throw error
  }
  await chmod(to, 0o600)
}

async function stampOf(file: string): Promise<string> {
  const stamps = PARTS.map(async (part) => {
    try {
      const { ino, size, mtimeNs } = await stat(`${file}${part}`, { bigint: true })
      return `${ino} ${size} ${mtimeNs}`
    } catch {
      return 'none'
    }
  })
  return (await Promise.all(stamps)).join(', ')
}
