import type { StatedRows } from '../api/upkeep.ts'
import { isPiecesPlace } from '../domain/pieces-place.ts'
import type { StatedRow } from '../ports/integrity-store.ts'

const HASH_BYTES = 6

/** Gathers what a statement of heads has of rows, by table and place. */
export class RowHashes {
  readonly #groups = new Map<string, { readonly of: Omit<StatedRows, 'hashes'>; readonly hashes: string[] }>()

  add(rows: readonly StatedRow[]): void {
    for (const { table, scope, session, hashes } of rows) {
      if (isPiecesPlace(session)) continue
      const group = this.#groups.get(groupOf({ table, scope, session }))
      if (group === undefined)
        this.#groups.set(groupOf({ table, scope, session }), { of: { table, scope, session }, hashes: [...hashes] })
      else group.hashes.push(...hashes)
    }
  }

  stated(): readonly StatedRows[] {
    return [...this.#groups.values()].map(({ of, hashes }) => ({
      ...of,
      hashes: Buffer.from(hashes.join(''), 'hex').toString('base64'),
    }))
  }
}

/** One text for each table and place. */
export function groupOf({ table, scope, session }: Omit<StatedRows, 'hashes'>): string {
  return JSON.stringify([table, scope, session])
}

/** The hashes in a statement. */
export function rowHashesIn({ hashes }: Pick<StatedRows, 'hashes'>): readonly string[] {
  const hex = Buffer.from(hashes, 'base64').toString('hex')
  const size = HASH_BYTES * 2
  return Array.from({ length: Math.ceil(hex.length / size) }, (_, nth) => hex.slice(nth * size, (nth + 1) * size))
}
