import { createHash } from 'node:crypto'
import { refuse } from '../domain/refuse.ts'

/** Where a list goes on, in words that mean nothing to a reader. Bound to its list and scope: it is refused elsewhere. */
export function writeCursor(list: string, scope: string, place: string): string {
  return Buffer.from(JSON.stringify([place, seal(list, scope, place)])).toString('base64url')
}

/** @throws {MemoryError} `input/invalid` if it is of another list or scope, or nobody's. */
export function readCursor(list: string, scope: string, cursor: string): string {
  const [place, mark] = parse(cursor)
  if (typeof place !== 'string' || mark !== seal(list, scope, place))
    refuse('list', 'after', cursor, 'the next of an earlier page of this list and scope')
  return place
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function seal(list: string, scope: string, place: string): string {
  return createHash('sha256')
    .update(JSON.stringify([list, scope, place]))
    .digest('base64url')
    .slice(0, 12)
}
