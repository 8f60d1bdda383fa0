import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { extname, isAbsolute, relative, resolve, sep } from 'node:path'
import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'
import { readImageSize } from '../domain/image-size.ts'
import { type PendingMedia, pendingIndex } from '../domain/pending-media.ts'
import { mediaParts } from '../domain/media-parts.ts'
import type { MediaPart, Part } from '../domain/part.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Blob } from '../ports/log-store.ts'
import type { Log } from './log.ts'
import { readPageCount } from './page-count.ts'
import { readSoundSeconds } from './sound-seconds.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.m4a': 'audio/mp4',
  '.flac': 'audio/flac',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
}

type Open<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] }

/** Turns pending media into content-addressed blobs: reads what must be read, names each by its hash, and fills the parts in. */
export async function storeMedia(
  log: Log,
  attempt: string,
  pending: readonly PendingMedia[],
  parts: readonly Part[],
): Promise<readonly Blob[]> {
  const blobs: Blob[] = []
  let room = log.messageBytesMax
  for (const media of pending) {
    const bytes = 'bytes' in media ? media.bytes : await readAllowedFile(log, attempt, media.path, room)
    room -= bytes.length
    blobs.push({ hash: hash('sha256', bytes), bytes })
  }
  for (const part of mediaParts(parts)) {
    const index = part.source.type === 'blob' ? pendingIndex(part.source.hash) : undefined
    const blob = index === undefined ? undefined : blobs[index]
    const media = index === undefined ? undefined : pending[index]
    if (blob !== undefined && media !== undefined) fill(part, blob, media)
  }
  return blobs
}

function fill(part: Open<MediaPart>, blob: Blob, media: PendingMedia): void {
  part.source = { type: 'blob', hash: blob.hash, bytes: blob.bytes.length }
  if (part.type === 'image') {
    const size = readImageSize(blob.bytes)
    if (size !== undefined) {
      part.mediaType ??= size.mediaType
      part.width ??= size.width
      part.height ??= size.height
    }
  }
  part.mediaType ??=
    ('path' in media ? mediaTypes[extname(media.path).toLowerCase()] : undefined) ?? 'application/octet-stream'
  if (part.type === 'file' && part.pages === undefined)
    Object.assign(part, defined({ pages: readPageCount(blob.bytes) }))
  if (part.type === 'audio' && part.seconds === undefined)
    Object.assign(part, defined({ seconds: readSoundSeconds(blob.bytes) }))
}

/**
 * The only place where a path given by a caller is opened. Links are resolved first, so that neither `..` nor a link leads
 * outside; then a plain file is opened without following links and without blocking on pipes. A directory may have been
 * swapped for a link in between, so where the open file really is decides. What the message has no room for is not
 * read: a thousand names of one large file would fill the memory of the process.
 */
async function readAllowedFile(log: Log, attempt: string, path: string, room: number): Promise<Uint8Array> {
  if (path.includes('\0')) refuse(attempt, 'path', path, 'a path without NUL')
  const wanted = resolve(log.fileRoots[0] ?? '.', path)
  const real = await allowedPath(log, attempt, path, wanted)
  try {
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const opened = await file.stat()
      const place = await placeOf(file)
      if (place === undefined) {
        const there = await stat(await allowedPath(log, attempt, path, wanted))
        if (opened.dev !== there.dev || opened.ino !== there.ino) throw unreadable(attempt, path, 'changing')
      } else if (!isAllowed(await realRoots(log.fileRoots), place)) throw unreadable(attempt, path, 'changing')
      if (!opened.isFile()) throw unreadable(attempt, path, 'not a file')
      if (opened.size === 0) throw unreadable(attempt, path, 'empty')
      if (opened.size > room) throw tooLarge(attempt, path, opened.size, Math.max(0, room))
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw MemoryError.is(error) ? error : unreadable(attempt, path, reasonOf(error), error)
  }
}

/**
 * Linux tells where an open file is, whatever its directories are called by now. Elsewhere it is looked for again by its name,
 * which a directory that is swapped there and back and there again in between could deceive.
 */
function placeOf(file: FileHandle): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
}

/** Where a path really leads, if that is inside an allowed directory. Nothing outside is as much as looked at by name. */
async function allowedPath(log: Log, attempt: string, path: string, wanted: string): Promise<string> {
  const roots = await realRoots(log.fileRoots)
  let real: string
  try {
    real = await realpath(wanted)
  } catch (error) {
    const within = [...log.fileRoots, ...roots].some((root) => isInside(root, wanted))
    throw within ? unreadable(attempt, path, reasonOf(error), error) : forbidden(attempt, path, log.fileRoots)
  }
  if (!isAllowed(roots, real)) throw forbidden(attempt, path, log.fileRoots)
  return real
}

/** A directory that does not exist allows nothing. */
async function realRoots(roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.allSettled(roots.map((root) => realpath(root)))
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

function isAllowed(roots: readonly string[], real: string): boolean {
  return roots.some((root) => isInside(root, real))
}

function isInside(root: string, path: string): boolean {
  const step = relative(root, path)
  return step !== '' && step !== '..' && !step.startsWith(`..${sep}`) && !isAbsolute(step)
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? 'missing' : `unreadable (${code ?? 'unknown'})`
}

function tooLarge(attempt: string, path: string, received: number, max: number): MemoryError {
  return new MemoryError(
    'input/too-large',
    `Cannot ${attempt}: ${quote(path)} has ${received} bytes, expected at most ${max}`,
    { path, received, max },
  )
}

function forbidden(attempt: string, path: string, roots: readonly string[]): MemoryError {
  const allowed =
    roots.length === 0
      ? 'no directory is allowed, give openMemory the option fileRoots'
      : `only files inside ${roots.map(quote).join(', ')} are allowed`
  return new MemoryError(
    'input/forbidden-path',
    `Cannot ${attempt}: reading ${quote(path)} is not allowed, ${allowed}`,
    { path, fileRoots: roots },
  )
}

function unreadable(attempt: string, path: string, why: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'input/unreadable-file',
    `Cannot ${attempt}: the file ${quote(path)} is ${why}, expected a readable file`,
    { path, reason: why },
    cause,
  )
}
