import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'

/** A name as it may stand in a statement. */
export function identifier(name: string): string {
  if (name.includes('\0'))
    throw new MemoryError('input/invalid', `Cannot use the name ${quote(name)}: it contains a NUL character`)
  return `"${name.replaceAll('"', '""')}"`
}
