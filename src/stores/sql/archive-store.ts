import { rootOf } from '../../domain/scope-path.ts'
import type { ArchiveRow, ArchiveStore, ArchiveValue, ArchiveRange, SessionEntry } from '../../ports/archive-store.ts'
import { archiveStatements as sql, isOfScope, ownerColumns, pagedKey, tableStatements } from './archive-statements.ts'
import { type StoredTable, archiveTables } from './archive-tables.ts'
import type { Database } from './database.ts'
import { eraseBlobs } from './erase-blobs.ts'
import { erasureStatements } from './erasure-statements.ts'
import { insideScope, visibleInside } from './inside-scope.ts'
import type { SqlDialect } from './dialect.ts'
import { lock } from './lock.ts'
import { type Program, all, change, countRows, together } from './program.ts'
import { insertChanges } from './scope-changes.ts'

const tables: ReadonlyMap<string, StoredTable> = new Map(archiveTables.map((table) => [table.kind, table]))

/** Rows in, rows out, for archives: all tables by one program. */
export function archiveStore(database: Database): ArchiveStore {
  return {
    tables: archiveTables,
    sessions: (scope, { after, through, limit }) =>
      database.read('list sessions for an archive', visibleInside(scope), () =>
        scope === null
          ? all<SessionEntry>(sql.sessions, after, through, limit)
          : all<SessionEntry>(sql.sessionsInside, after, through, ...insideScope(scope), limit),
      ),
    roots: ({ after, limit }) =>
      database.read('list what is known for an archive', 'every scope', () => all(sql.roots, after, limit)),
    rootVersion: (root) =>
      database.read('read the version of what is known', [root], () => countRows(sql.rootVersion, root)),
    rows: (kind, place, { after, limit }) =>
      database.read('read rows for an archive', visibleInside(place.scope), () =>
        rowsOf(database, tableOf(kind), { place, after, limit }),
      ),
    put: (kind, place, rows) =>
      database.write('store rows of an archive', visibleInside(place.scope), function* () {
        const table = tableOf(kind)
        // Of two that bring the same, the second finds it there; and nobody learns in between.
        yield* lock(database, 'archive', kind)
        const roots = table.of === 'knowledge' ? rows.map(({ scope }) => rootOf(String(scope))) : []
        for (const root of [...new Set(roots)].toSorted()) yield* lock(database, 'knowledge', root)
        return yield* putRows(database, table, { place, rows })
      }),
    dropUnusedBlobs: (scope, hashes) =>
      database.write('leave out blobs of an archive', [scope], function* () {
        yield* eraseBlobs(erasureStatements(database.dialect), scope, hashes)
      }),
  }
}

function tableOf(kind: string): StoredTable {
  const table = tables.get(kind)
  if (table === undefined) throw new Error(`no table for records of kind ${kind}`)
  return table
}

interface Page {
  readonly place: ArchiveRange
  readonly after: ArchiveRow | undefined
  readonly limit: number
}

function* rowsOf(
  { dialect }: Database,
  table: StoredTable,
  { place, after, limit }: Page,
): Program<readonly ArchiveRow[]> {
  // A table with one row a session has nothing after it.
  if (after !== undefined && table.key.length === 0) return []
  const statements = tableStatements(table, dialect)
  const values: ArchiveValue[] = []
  const { known } = place
  const hasUntil = Object.values(table.columns).includes('until')
  if (hasUntil && known !== undefined) values.push(known.version)
  values.push(...ownerOfRows(dialect, table, place))
  if (table.root === true) values.push(known?.root ?? null)
  const bounds = insideScope(place.scope)
  if (isOfScope(table)) values.push(...(after === undefined ? bounds : bounds.slice(1)))
  if (table.since !== undefined) values.push(known?.version ?? null)
  if (after !== undefined) values.push(...pagedKey(table).map((name) => after[name] ?? null))
  return yield* all<ArchiveRow>(after === undefined ? statements.first : statements.next, ...values, limit)
}

/** Looks before it writes: a conflict changes nothing. */
function* putRows(
  { dialect }: Database,
  table: StoredTable,
  { place, rows }: { readonly place: ArchiveRange; readonly rows: readonly ArchiveRow[] },
): Program<{ readonly stored: number } | { readonly conflict: number }> {
  const { byKey, insert } = tableStatements(table, dialect)
  const own = ownerOfRows(dialect, table, place)
  const found = (yield* together(
    rows.map((row) => ({ text: byKey, values: [...own, ...keyOf(table, row)], gives: 'rows' })),
  )) as readonly (readonly ArchiveRow[])[]
  const stored = found.map(([row]) => row)
  const conflict = rows.findIndex((row, index) => {
    const there = stored[index]
    return there !== undefined && table.yields !== true && !isNewer(table, row, there) && !isSame(table, row, there)
  })
  if (conflict >= 0) return { conflict }
  const names = Object.keys(table.columns)
  // The same may come twice in an archive.
  const seen = new Set<string>()
  const fresh = rows.filter((row, index) => {
    const key = JSON.stringify(keyOf(table, row))
    const isNew = stored[index] === undefined && !seen.has(key)
    seen.add(key)
    return isNew
  })
  if (table.numbered === true) yield* insertChanges(fresh)
  else yield* together(fresh.map((row) => change(insert, ...own, ...names.map((name) => row[name] ?? null))))
  return { stored: fresh.length }
}

function ownerOfRows(
  dialect: SqlDialect,
  table: StoredTable,
  { scope, session }: ArchiveRange,
): readonly ArchiveValue[] {
  return ownerColumns(table, dialect).map((column) => (column === 'scope' ? scope : (session ?? null)))
}

function keyOf(table: StoredTable, row: ArchiveRow): readonly ArchiveValue[] {
  return table.key.map((name) => row[name] ?? null)
}

function isNewer({ yieldsTo }: StoredTable, row: ArchiveRow, there: ArchiveRow): boolean {
  return yieldsTo !== undefined && Number(there[yieldsTo]) > Number(row[yieldsTo])
}

function isSame(table: StoredTable, row: ArchiveRow, there: ArchiveRow): boolean {
  return Object.keys(table.columns).every((name) => {
    const [one, other] = [row[name], there[name]]
    return one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : one === other
  })
}
