import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'

/** Compare-and-set: nobody overwrites what they have not read. */
export function checkExpected(attempt: string, expected: number | undefined, found: number, fact?: string): void {
  if (expected === undefined || expected === found) return
  throw new MemoryError(
    'knowledge/conflict',
    `Cannot ${attempt}: expected ${expected === 0 ? 'nothing' : `revision ${expected}`}, found ${found === 0 ? 'nothing' : `revision ${found}`}, read it and try again`,
    { expected, found, ...defined({ fact }) },
  )
}
