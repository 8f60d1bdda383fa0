import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'

/** Refuses an archive, with the place and what was expected there. */
export function damaged(line: number, found: string, expected: string, kind?: string): MemoryError {
  return new MemoryError(
    'archive/damaged',
    `Cannot import line ${line}${kind === undefined ? '' : ` (${kind})`}: ${found}, expected ${expected}`,
    { line, ...defined({ record: kind }), found, expected },
  )
}
