import type { IntegrityStore } from '../../ports/integrity-store.ts'
import type { Database } from './database.ts'
import { type Program, lists } from './program.ts'

const OWNERS_PER_PAGE = 500

interface Owned {
  readonly table: string
  readonly column: string
  readonly owner: string
  readonly key: string
}

/** Rows of the search index and what they belong to. */
const owned: readonly Owned[] = [
  { table: 'recall_passages', column: 'thread', owner: 'recall_threads', key: 'thread' },
  ...['recall_threads', 'recall_terms', 'recall_posted', 'recall_speakers', 'recall_segments'].map((table) => ({
    table,
    column: 'shelf',
    owner: 'recall_shelves',
    key: 'key',
  })),
  { table: 'recall_postings', column: 'segment', owner: 'recall_segments', key: 'key' },
]

/** Finds rows of the search index whose owner is missing, some owners at a time, each by one look at an index. */
export function strayIndexRows(database: Database): IntegrityStore['strayIndexRows'] {
  return async ({ table: nth, after }) => {
    const place = owned[nth]
    if (place === undefined) return { strays: [], next: undefined }
    const found = await database.snapshot('verify the index', 'every scope', () => page(place, after))
    const last = found.at(-1)?.[0]
    const isFull = found.length === OWNERS_PER_PAGE && last !== undefined
    return {
      strays: found.flatMap(([key, isThere]) =>
        isThere === 0 ? [{ table: place.table, owner: place.owner, key }] : [],
      ),
      next: isFull ? { table: nth, after: last } : nth + 1 < owned.length ? { table: nth + 1, after: -1 } : undefined,
    }
  }
}

function page(
  { table, column, owner, key }: Owned,
  after: number,
): Program<readonly (readonly [key: number, isThere: number])[]> {
  const next = (than: string): string => `(SELECT MIN(o.${column}) FROM ${table} o WHERE o.${column} > ${than})`
  return lists(
    `WITH RECURSIVE owners (number, nth) AS (
      SELECT ${next('?')}, 1
      UNION ALL SELECT ${next('owners.number')}, owners.nth + 1 FROM owners
        WHERE owners.number IS NOT NULL AND owners.nth < ${OWNERS_PER_PAGE})
    SELECT number, CASE WHEN EXISTS (SELECT 1 FROM ${owner} h WHERE h.${key} = owners.number) THEN 1 ELSE 0 END
      FROM owners WHERE number IS NOT NULL ORDER BY number`,
    after,
  )
}
