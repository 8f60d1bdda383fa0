import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { extname, isAbsolute, relative, resolve, sep } from 'node:path'
import { MemoryError } from '../domain/error.ts'
import { readImageSize } from '../domain/image-size.ts'
import { type PendingMedia, pendingIndex } from '../domain/intake.ts'
import { mediaParts } from '../domain/media-parts.ts'
import type { MediaPart, Part } from '../domain/part.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Blob } from '../ports/log-store.ts'
import type { Log } from './log.ts'

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
  for (const media of pending) {
    const bytes = 'bytes' in media ? media.bytes : await readAllowedFile(log, attempt, media.path)
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
}

/**
 * The only place where a path given by a caller is opened. Links are resolved first, so that neither `..` nor a link
 * leads outside; then a plain file is opened without following links, without blocking on pipes, up to the size limit.
 */
async function readAllowedFile(log: Log, attempt: string, path: string): Promise<Uint8Array> {
  const roots = log.fileRoots
  if (path.includes('\0')) refuse(attempt, 'path', path, 'a path without NUL')
  const wanted = resolve(roots[0] ?? '.', path)
  if (!(await anyRoot(roots, (root) => isInside(root, wanted)))) throw forbidden(attempt, path, roots)
  try {
    const real = await realpath(wanted)
    if (!(await anyRoot(roots, async (root) => isInside(await realpath(root), real))))
      throw forbidden(attempt, path, roots)
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) throw unreadable(attempt, path, 'not a file')
      if (stat.size === 0) throw unreadable(attempt, path, 'empty')
      if (stat.size > log.messageBytesMax) {
        throw new MemoryError(
          'input/too-large',
          `Cannot ${attempt}: ${quote(path)} has ${stat.size} bytes, expected at most ${log.messageBytesMax}`,
          { path, received: stat.size, max: log.messageBytesMax },
        )
      }
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw MemoryError.is(error)
      ? error
      : unreadable(attempt, path, (error as NodeJS.ErrnoException).code ?? 'unreadable', error)
  }
}

async function anyRoot(roots: readonly string[], test: (root: string) => boolean | Promise<boolean>): Promise<boolean> {
  for (const root of roots) if (await test(resolve(root))) return true
  return false
}

function isInside(root: string, path: string): boolean {
  const step = relative(root, path)
  return step !== '' && step !== '..' && !step.startsWith(`..${sep}`) && !isAbsolute(step)
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
