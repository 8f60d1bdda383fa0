import { closeSync, openSync, readSync } from 'node:fs'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import { systemProblem } from '../../domain/system-problem.ts'

/** 'DBok' in ASCII: says in the file's own header whose database it is. */
export const APPLICATION_ID = 0x44_42_6f_6b

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/**
 * Looks at a file's first 100 bytes (https://www.sqlite.org/fileformat.html) before SQLite does: opening another
 * program's database, or a newer one of ours, could already change it.
 */
export function checkHeader(file: string, schemaVersion: number, encrypted: boolean): void {
  const header = readHeader(file)
  if (header === undefined || header.length === 0) return
  if (looksEncrypted(header)) {
    if (encrypted) return // whose it is stands behind the key
    throw fileKeyNeeded(file)
  }
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new MemoryError(
      'store/not-a-database',
      `Cannot open ${quote(file)}: the file is not an SQLite database, expected a Daybook file or no file`,
      { file },
    )
  }
  if (encrypted)
    throw new MemoryError(
      'encryption/not-encrypted',
      `Cannot open ${quote(file)} with a key: the file is not encrypted, expected one that was made with a key`,
      { file },
    )
  checkFileOwner(file, { applicationId: header.readInt32BE(68), userVersion: header.readInt32BE(60) }, schemaVersion)
}

/**
 * The cipher hides the magic behind a random salt and leaves bytes 16 to 23 as they are: page size, format, and three numbers
 * that are 64, 32 and 32 in every database (https://www.sqlite.org/fileformat.html#the_database_header).
 */
function looksEncrypted(header: Buffer): boolean {
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) === MAGIC) return false
  const pageSize = header.readUInt16BE(16)
  const isPageSize = pageSize === 1 || (pageSize >= 512 && (pageSize & (pageSize - 1)) === 0)
  return isPageSize && header[21] === 64 && header[22] === 32 && header[23] === 32
}

export function fileKeyNeeded(file: string): MemoryError {
  return new MemoryError(
    'encryption/key-needed',
    `Cannot open ${quote(file)}: the file is encrypted, expected its key as encryption: { file: … }`,
    { file },
  )
}

export function checkFileOwner(
  file: string,
  found: { readonly applicationId: number; readonly userVersion: number },
  schemaVersion: number,
): void {
  if (found.applicationId !== APPLICATION_ID && (found.applicationId !== 0 || found.userVersion !== 0)) {
    throw new MemoryError(
      'store/foreign',
      `Cannot open ${quote(file)}: it is the database of another application, expected a Daybook file`,
      { file, ...found },
    )
  }
  if (found.userVersion > schemaVersion) {
    throw new MemoryError(
      'store/newer-schema',
      `Cannot open ${quote(file)}: its schema is version ${found.userVersion}, this version of Daybook supports up to ${schemaVersion}, upgrade Daybook`,
      {
        file,
        found: found.userVersion,
        known: schemaVersion,
      },
    )
  }
}

function readHeader(file: string): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new MemoryError(
      'store/cannot-open',
      `Cannot open ${quote(file)}: ${systemProblem(error)}, expected a readable file`,
      { file },
      error,
    )
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0))
  } catch (error) {
    throw new MemoryError(
      'store/cannot-open',
      `Cannot open ${quote(file)}: ${systemProblem(error)}, expected a readable file`,
      { file },
      error,
    )
  } finally {
    closeSync(descriptor)
  }
}
