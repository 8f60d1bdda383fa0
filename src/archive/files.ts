import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ArchiveImportOptions, ArchiveSource, ExportOptions, Imported } from '../api/archive.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { checkArchive } from './read-records.ts'
import { folderProblem } from '../domain/folder-problem.ts'
import { systemProblem } from '../domain/system-problem.ts'

/** A memory as far as archives go: one here, or one behind a server. */
interface Archivable {
  export(options?: ExportOptions): AsyncIterable<string>
  import(source: ArchiveSource, options?: ArchiveImportOptions): Promise<Imported>
}

/**
 * Writes an archive to a new file, for its owner's eyes only. The file has its name when it is whole and on the disk, and
 * never takes the place of another.
 *
 * @throws {MemoryError} `store/exists` if there is a file with this name.
 */
export async function exportToFile(
  memory: Pick<Archivable, 'export'>,
  file: string,
  options: ExportOptions = {},
): Promise<{ readonly file: string; readonly records: number; readonly bytes: number }> {
  const to = resolve(file)
  if (existsSync(to)) throw exists(to)
  let progress = { records: 0, bytes: 0 }
  const archive = memory.export({
    ...options,
    onProgress: (now) => {
      progress = now
      options.onProgress?.(now)
    },
  })
  const partial = `${to}.partial-${randomBytes(6).toString('hex')}`
  try {
    const handle = await opened(partial, to)
    try {
      for await (const piece of archive) await handle.writeFile(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(partial, to)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(to) : error
  } finally {
    await rm(partial, { force: true })
  }
  await syncFolder(dirname(to))
  return { file: to, ...progress }
}

/**
 * Imports an archive from a file. It is read twice: first to its end, so that of a torn or changed one nothing at all is
 * stored.
 */
export async function importFromFile(
  memory: Pick<Archivable, 'import'>,
  file: string,
  options: ArchiveImportOptions = {},
): Promise<Imported> {
  await checkArchive(fileSource(file))
  return memory.import(fileSource(file), options)
}

export async function* fileSource(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new MemoryError('input/unreadable-file', `Cannot read ${quote(file)}: ${systemProblem(error)}`, {
      file,
      code,
    })
  }
}

async function opened(partial: string, file: string): ReturnType<typeof open> {
  try {
    return await open(partial, 'wx', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new MemoryError(
      'store/cannot-open',
      `Cannot write ${quote(file)}: ${folderProblem(dirname(file), error)}`,
      { file, code },
      error,
    )
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function exists(file: string): MemoryError {
  return new MemoryError(
    'store/exists',
    `Cannot write ${quote(file)}: a file with this name exists. Choose another name`,
    {
      file,
    },
  )
}
