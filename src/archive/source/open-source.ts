import { defined } from '../../domain/defined.ts'
import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ImportLimits } from '../../api/imports.ts'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { type ImportedItem, skip } from '../importers/imported-item.ts'
import { type Beside, besideId, readUpTo } from './beside.ts'
import { zipFiles } from './zip.ts'
import { systemProblem } from '../../domain/system-problem.ts'

/** A file to read, wherever it is. */
export interface SourceFile {
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** What stands in the same folder or zip. */
  readonly beside?: Beside
}

const FOLDER_DEPTH_MAX = 16
const ZIP_MARKS = ['PK\u0003\u0004', 'PK\u0005\u0006']

/** The files of what was named: a file, the entries of a zip, or a folder of both. Links are not followed. */
export async function* openSource(
  path: string,
  limits: ImportLimits,
): AsyncGenerator<SourceFile | ImportedItem, undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error))
  if (!found.isDirectory()) {
    yield* openFile(path, basename(path), limits)
    return
  }
  let count = 0
  const beside = folderBeside(path, limits)
  for await (const name of walk(path, '', 0)) {
    if (typeof name !== 'string') {
      yield name
      continue
    }
    count += 1
    if (count > limits.filesMax) {
      yield skip(
        { file: name },
        'too-large',
        `more than ${limits.filesMax} files; this one and all after it are left out`,
      )
      return
    }
    yield* openFile(join(path, name), name, limits, beside)
  }
}

/** Names of files below a folder, and what is passed over. */
async function* walk(root: string, inside: string, depth: number): AsyncGenerator<string | ImportedItem, undefined> {
  const place = { file: inside === '' ? '.' : inside }
  if (depth > FOLDER_DEPTH_MAX) {
    yield skip(place, 'too-deep', `a folder ${depth} levels down, expected at most ${FOLDER_DEPTH_MAX}`)
    return
  }
  const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((error: Error) => error)
  if (entries instanceof Error) {
    yield skip(place, 'unreadable', entries.message)
    return
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) yield* walk(root, name, depth + 1)
    else if (entry.isFile()) yield name
    else
      yield skip({ file: name }, 'unreadable', entry.isSymbolicLink() ? 'a link: not followed' : 'not a regular file')
  }
}

/** Listed when the first is asked for. */
function folderBeside(root: string, { filesMax }: ImportLimits): Beside {
  let listed: Promise<ReadonlyMap<string, string>> | undefined
  return {
    find: async (id) => {
      listed ??= list()
      const name = (await listed).get(id)
      return name === undefined
        ? undefined
        : { name, read: (bytesMax) => readUpTo(createReadStream(join(root, name)), bytesMax) }
    },
  }

  async function list(): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>()
    let count = 0
    for await (const name of walk(root, '', 0)) {
      count += 1
      if (count > filesMax) break
      const id = typeof name === 'string' ? besideId(name) : undefined
      if (typeof name === 'string' && id !== undefined && !names.has(id)) names.set(id, name)
    }
    return names
  }
}

async function* openFile(
  path: string,
  name: string,
  limits: ImportLimits,
  beside?: Beside,
): AsyncGenerator<SourceFile | ImportedItem, undefined> {
  try {
    // A pipe or a device would be read forever.
    if (!(await lstatThrough(path))) {
      yield skip({ file: name }, 'unreadable', 'not a regular file')
      return
    }
    if (await isZip(path)) yield* zipFiles(path, name, limits)
    else
      yield {
        name,
        chunks: createReadStream(path) as AsyncIterable<Uint8Array>,
        ...defined({ beside }),
      }
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
    `Cannot import ${quote(path)}: ${systemProblem(error)}`,
    { path },
    error,
  )
}
