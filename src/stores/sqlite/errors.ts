import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { type ErrorCode, MemoryError } from '../../domain/error.ts'
import { systemProblem } from '../../domain/system-problem.ts'

/** SQLite's primary result codes, and what each means to a caller. Extended codes (`SQLITE_IOERR_FSYNC`) start with these. */
const codes: readonly (readonly [prefix: string, code: ErrorCode, advice: string])[] = [
  ['SQLITE_BUSY', 'store/busy', 'other processes have locked the file, try again'],
  ['SQLITE_LOCKED', 'store/busy', 'other processes have locked the file, try again'],
  ['SQLITE_FULL', 'store/full', 'the disk is full, nothing was written'],
  ['SQLITE_READONLY', 'store/read-only', 'the file or its disk cannot be written'],
  [
    'SQLITE_CANTOPEN',
    'store/cannot-open',
    'the file cannot be opened, expected an existing directory and permission to write in it',
  ],
  ['SQLITE_NOTADB', 'store/not-a-database', 'the file is not a database'],
  ['SQLITE_CORRUPT', 'store/corrupt', 'the file is damaged, keep it and restore from a backup'],
]

function sqliteCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

export function isBusy(error: unknown): boolean {
  return MemoryError.is(error, 'store/busy') || /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error))
}

/** The disk failed underneath: what the handle believes may no longer be so. */
export function isDiskFailure(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_IOERR')
}

export function isNotDatabase(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_NOTADB')
}

/** SQLite needs a file beside the database, even to read it, and cannot make one. */
export function cannotWriteBeside(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error))
}

/** Concerns the file, not one statement: the next statement would fail the same way. */
export function isFileFailure(error: unknown): boolean {
  return /^SQLITE_(IOERR|FULL|READONLY|CORRUPT|NOTADB|CANTOPEN|BUSY|LOCKED)/.test(sqliteCode(error))
}

/** SQLite does not say why a file cannot be opened. If nothing else can be opened either, then too many files are open. */
function noDescriptorLeft(): string | undefined {
  try {
    closeSync(openSync(devNull, 'r'))
    return undefined
  } catch (error) {
    return `${systemProblem(error)}, expected a higher limit (ulimit -n) or fewer open files`
  }
}

/** Our error for the database's, with the original as its cause. */
export function fromSqlite(attempt: string, error: unknown): MemoryError {
  if (MemoryError.is(error)) return error
  const sqlite = sqliteCode(error)
  const [prefix, code, usual] = codes.find(([start]) => sqlite.startsWith(start)) ?? [
    '',
    'store/failed' as const,
    error instanceof Error ? error.message : String(error),
  ]
  const advice = prefix === 'SQLITE_CANTOPEN' ? (noDescriptorLeft() ?? usual) : usual
  return new MemoryError(code, `Cannot ${attempt}: ${advice}${sqlite === '' ? '' : ` (${sqlite})`}`, { sqlite }, error)
}

/** The commit's own sync failed. What was written may or may not survive; only reading it back tells. */
export function unknownAfterFailedSync(attempt: string, error: unknown): MemoryError {
  return new MemoryError(
    'store/unknown',
    `Cannot ${attempt}: the disk failed during the commit (${sqliteCode(error)}), so it may or may not be stored; append again with the same ids, or read it back, to find out`,
    { sqlite: sqliteCode(error) },
    error,
  )
}
