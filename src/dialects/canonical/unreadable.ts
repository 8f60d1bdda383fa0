import type { Dialect } from '../../domain/dialect.ts'
import { MemoryError } from '../../domain/error.ts'
import { kindOf } from './json.ts'

export function unreadable(what: string, dialect: Dialect, received: unknown, wanted: string): MemoryError {
  return new MemoryError(
    'dialect/unreadable',
    `Cannot read ${what}: received ${kindOf(received)}, expected ${wanted}`,
    { dialect, wanted },
  )
}
