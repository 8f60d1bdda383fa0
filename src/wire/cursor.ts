import { fromBase64 } from '../domain/from-base64.ts'
import { refuse } from '../domain/refuse.ts'
import { toBase64 } from '../domain/to-base64.ts'

/** Where a list continues. A cursor names its list and scope, and is refused for any other. */
export function writeCursor(list: string, scope: string, after: string): string {
  const text = toBase64(new TextEncoder().encode(JSON.stringify([list, scope, after])))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** @throws {MemoryError} `input/invalid` if it belongs to another list or scope, or is not a cursor. */
export function readCursor(list: string, scope: string, cursor: string): string {
  const [itsList, itsScope, after] = parse(cursor)
  if (typeof after !== 'string' || itsList !== list || itsScope !== scope)
    refuse('list', 'after', cursor, 'the next of an earlier page of this list and scope')
  return after
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64(cursor)))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
