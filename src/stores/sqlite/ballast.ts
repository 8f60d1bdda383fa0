import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'

const BYTES_MIN = 256 * 1024
const BYTES_MAX = 4 * 1024 * 1024
/** A file system may compress: what is written here must take room. */
const PIECE_BYTES = 64 * 1024

/**
 * A file beside the database that only takes room. When the disk is full, it is deleted, so that something can be forgotten:
 * deleting rows needs room in the write-ahead log.
 */
export function ballastOf(file: string): string {
  return `${file}-ballast`
}

/** Makes the ballast if it is missing and there is room. */
export function keepBallast(file: string): void {
  const ballast = ballastOf(file)
  if (existsSync(ballast)) return
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  try {
    const pieces = Math.ceil(Math.min(BYTES_MAX, Math.max(BYTES_MIN, size / 8)) / PIECE_BYTES)
    writeFileSync(ballast, Buffer.concat(Array.from({ length: pieces }, () => randomBytes(PIECE_BYTES))), {
      flag: 'wx',
      mode: 0o600,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(ballast, { force: true })
  }
}

/** Deletes the ballast. Returns whether there was one. */
export function releaseBallast(file: string): boolean {
  const ballast = ballastOf(file)
  if (!existsSync(ballast)) return false
  rmSync(ballast, { force: true })
  return true
}
