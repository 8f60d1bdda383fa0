import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { DocumentLine } from './read-document.ts'
import { systemProblem } from '../domain/system-problem.ts'

export interface FileLimits {
  /** Of one line, in bytes: what is beyond is counted and not kept. @default 64 MiB */
  readonly lineBytesMax?: number
  /** Of the whole file, in bytes. @default 256 MiB */
  readonly fileBytesMax?: number
}

const LINE_BYTES_MAX = 64 * 1024 * 1024
const FILE_BYTES_MAX = 256 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
const LINE_FEED = 10
/** See `stores/sqlite/header.ts`, which looks at the same bytes and also says whose they are. */
const SQLITE_MAGIC = 'SQLite format 3\0'

/** Whether a file is an SQLite database; `false` where it cannot be read, which whoever reads it then says. */
export async function isDatabase(file: string): Promise<boolean> {
  const handle = await openPlain(file).catch(() => undefined)
  if (handle === undefined) return false
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(SQLITE_MAGIC.length), 0, SQLITE_MAGIC.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === SQLITE_MAGIC
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

/** Opened without waiting, because reading a pipe might never end and its type is known only once it is open. */
async function openPlain(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw Object.assign(new Error('not a plain file'), { code: 'not a regular file' })
}

/**
 * The lines of a file, piece by piece: no line, however long, is held beyond its limit.
 *
 * @throws {MemoryError} `input/unreadable-file`; `input/too-large` if it has more than `fileBytesMax` in lines that are kept.
 */
export async function readFileLines(file: string, limits: FileLimits = {}): Promise<readonly DocumentLine[]> {
  const { lineBytesMax = LINE_BYTES_MAX, fileBytesMax = FILE_BYTES_MAX } = limits
  const collector = new LineCollector(lineBytesMax)
  try {
    const handle = await openPlain(file)
    try {
      for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false })) {
        collector.add(chunk as Buffer)
        if (collector.bytes > fileBytesMax) throw tooLarge(file, fileBytesMax)
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (MemoryError.is(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new MemoryError(
      'input/unreadable-file',
      `Cannot read ${quote(file)}: ${systemProblem(error)}`,
      { file, code },
      error,
    )
  }
  return collector.end()
}

function tooLarge(file: string, max: number): MemoryError {
  return new MemoryError('input/too-large', `Cannot examine ${quote(file)}: expected at most ${max} bytes`, {
    file,
    max,
  })
}

class LineCollector {
  /** Of all lines so far, without what was cut. */
  bytes = 0
  readonly #max: number
  readonly #lines: DocumentLine[] = []
  #pieces: Buffer[] = []
  #length = 0
  #cut = 0

  constructor(max: number) {
    this.#max = max
  }

  add(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      this.#take(chunk.subarray(from, at))
      this.#finish()
      from = at + 1
    }
    this.#take(chunk.subarray(from))
  }

  end(): readonly DocumentLine[] {
    this.#finish()
    const [first, ...rest] = this.#lines
    // A byte order mark is no character of the text.
    return first === undefined ? [] : [{ ...first, text: first.text.replace(/^\uFEFF/, '') }, ...rest]
  }

  #take(piece: Buffer): void {
    const kept = piece.subarray(0, Math.max(0, this.#max - this.#length))
    this.#cut += piece.length - kept.length
    this.#length += kept.length
    this.bytes += kept.length
    if (kept.length > 0) this.#pieces.push(Buffer.from(kept))
    if (this.#cut === 0 || this.#pieces.length === 0) return
    // Too long to be read: nobody needs its beginning.
    this.bytes -= this.#length
    this.#cut += this.#length
    this.#pieces = []
    this.#length = this.#max
  }

  #finish(): void {
    const bytes = Buffer.concat(this.#pieces)
    this.#lines.push({ text: bytes.toString('utf8'), cutBytes: this.#cut, mangled: !isUtf8(bytes) })
    this.#pieces = []
    this.#length = 0
    this.#cut = 0
  }
}
