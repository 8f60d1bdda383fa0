import { hash } from 'node:crypto'
import { OPEN_END } from '../../domain/span.ts'
import type { StatedRow } from '../../ports/integrity-store.ts'
import type { DigestTable } from './tables.ts'

/** 6 bytes. */
const HASH_HEX_LENGTH = 12

/** What a statement of heads has of a row, given the values of these columns; nothing if rows of the table may vanish unseen. */
export function statedRow(
  { name: table, stated }: DigestTable,
  columns: readonly string[],
  values: readonly unknown[],
): readonly StatedRow[] {
  if (stated === 'version' || 'vanishes' in stated) return []
  const { changing = [], ends } = stated
  const lasting = columns.flatMap((column, nth) => (column === ends || changing.includes(column) ? [] : [values[nth]]))
  const end = ends === undefined ? null : values[columns.indexOf(ends)]
  const hashes = [hashOf([table, ...lasting])]
  if (end !== null && end !== OPEN_END) hashes.push(hashOf(['ended', table, ...lasting, end]))
  const text = (column: string): string => {
    const value = values[columns.indexOf(column)]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const isForgotten = table === 'forgotten_names'
  const session = table === 'forgotten_sessions' ? '' : text('session')
  return [{ table, scope: text('scope'), session, name: isForgotten ? text('name') : '', hashes }]
}

function hashOf(values: readonly unknown[]): string {
  const plain = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))
  return hash('sha256', JSON.stringify(plain), 'hex').slice(0, HASH_HEX_LENGTH)
}
