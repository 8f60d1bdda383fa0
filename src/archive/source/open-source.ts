import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { type Found, skip } from '../importers/found.ts'
import type { ImportLimits } from './limits.ts'
import { zipFiles } from './zip.ts'

/** A file to read, wherever it is. */
export interface SourceFile {
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

const FOLDER_DEPTH_MAX = 16
const ZIP_MARKS = ['PK\u0003\u0004', 'PK\u0005\u0006']

/** The files of what was named: a file, the entries of a zip, or a folder of both. Links are not followed. */
export async function* openSource(path: string, limits: ImportLimits): AsyncGenerator<SourceFile | Found, undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error))
  if (!found.isDirectory()) {
    yield* openFile(path, basename(path), limits)
    return
  }
  let count = 0
  for await (const name of walk(path, '', 0)) {
    count += 1
    if (count > limits.filesMax) {
      yield skip(
        { file: name },
        'too-large',
        `more than ${limits.filesMax} files; this one and all after it are left out`,
      )
      return
    }
    yield* openFile(join(path, name), name, limits)
  }
}

async function* walk(root: string, inside: string, depth: number): AsyncGenerator<string, undefined> {
  if (depth > FOLDER_DEPTH_MAX) return
  const entries = await readdir(join(root, inside), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) yield* walk(root, name, depth + 1)
    else if (entry.isFile()) yield name
  }
}

async function* openFile(
  path: string,
  name: string,
  limits: ImportLimits,
): AsyncGenerator<SourceFile | Found, undefined> {
  try {
    // A pipe or a device would be read forever.
    if (!(await lstatThrough(path))) {
      yield skip({ file: name }, 'unreadable', 'no plain file')
      return
    }
    if (await isZip(path)) yield* zipFiles(path, name, limits)
    else yield { name, chunks: createReadStream(path) as AsyncIterable<Uint8Array> }
  } catch (error) {
    if (MemoryError.is(error)) throw error
    yield skip({ file: name }, 'unreadable', error instanceof Error ? error.message : String(error))
  }
}

async function lstatThrough(path: string): Promise<boolean> {
  const found = await lstat(path)
  return found.isSymbolicLink() ? (await stat(path)).isFile() : found.isFile()
}

/** By its first bytes: what a file is called proves nothing. */
async function isZip(path: string): Promise<boolean> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && ZIP_MARKS.includes(buffer.toString('latin1'))
  } finally {
    await handle?.close()
  }
}

function unreadable(path: string, error: NodeJS.ErrnoException): never {
  throw new MemoryError(
    'input/unreadable-file',
    `Cannot import ${quote(path)}: ${error.code ?? error.message}, expected a readable file or folder`,
    { path },
    error,
  )
}
