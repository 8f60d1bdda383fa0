import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { MemoryError } from '../domain/error.ts'
import { errorText } from '../domain/error-text.ts'
import { quote } from '../domain/refuse.ts'

/** The few things that are done to a disk, so that a test can fail any of them. */
export interface Disk {
  makeDirectory(path: string): Promise<void>
  /** Names in a directory; none if it is not there. */
  names(directory: string): Promise<readonly string[]>
  /** `undefined` if there is no such file. A link to elsewhere is not followed. */
  read(path: string, bytesMax: number): Promise<Uint8Array | undefined>
  /** On the disk when it resolves; never over a file that is there. */
  write(path: string, bytes: Uint8Array): Promise<void>
  /** A second name for a file, or a copy where that cannot be. */
  copy(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Makes what was done to the names of a directory survive a power cut. */
  syncDirectory(directory: string): Promise<void>
}

// Not on Windows, where links need rights that few have.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

export const nodeDisk: Disk = {
  makeDirectory: async (path) => {
    await mkdir(path, { recursive: true })
  },
  names: async (directory) => (await orNothing(readdir(directory))) ?? [],
  read: async (path, bytesMax) => {
    const handle = await orNothing(open(path, constants.O_RDONLY | NO_FOLLOW))
    if (handle === undefined) return undefined
    try {
      const { size } = await handle.stat()
      if (size > bytesMax)
        throw new MemoryError(
          'input/too-large',
          `Cannot read ${quote(path)}: it has ${size} bytes, expected at most ${bytesMax}`,
          { path, bytes: size, max: bytesMax },
        )
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  },
  write: async (path, bytes) => {
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  copy: async (from, to) => {
    try {
      await link(from, to)
    } catch {
      // Some file systems have no second names.
      await copyFile(from, to, constants.COPYFILE_EXCL)
      await sync(to)
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory: async (directory) => {
    // Windows cannot open a directory, and keeps its names without being asked.
    if (process.platform !== 'win32') await sync(directory)
  },
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function orNothing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const CODES: Readonly<Record<string, 'store/full' | 'store/read-only' | 'input/forbidden-path'>> = {
  ENOSPC: 'store/full',
  EDQUOT: 'store/full',
  EROFS: 'store/read-only',
  EACCES: 'store/read-only',
  EPERM: 'store/read-only',
  ELOOP: 'input/forbidden-path',
}

/** What the disk said, as an error of ours. */
export function diskError(attempt: string, error: unknown): MemoryError {
  if (MemoryError.is(error)) return error
  const code = CODES[codeOf(error) ?? ''] ?? 'store/failed'
  return new MemoryError(code, `Cannot ${attempt}: ${errorText(error)}`, {}, error)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
