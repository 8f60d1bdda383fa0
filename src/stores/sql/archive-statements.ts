import { STILL_KNOWN } from './migrations/0003-knowledge.ts'
import type { StoredTable } from './archive-tables.ts'
import type { SqlDialect } from './dialect.ts'
import { INSIDE_SCOPE } from './inside-scope.ts'

type Name = 'sessions' | 'sessionsInside' | 'roots' | 'rootVersion'

/** The same where the row before is known to be inside: with one lower bound, so that a page begins behind that row. */
const stillInside = `scope < ? AND (scope = ? OR scope >= ?)`

export const archiveStatements: Readonly<Record<Name, string>> = {
  sessions: `SELECT key AS "key", scope AS "scope", name AS "name" FROM sessions
    WHERE key > ? AND key <= ? ORDER BY key LIMIT ?`,
  sessionsInside: `SELECT key AS "key", scope AS "scope", name AS "name" FROM sessions
    WHERE key > ? AND key <= ? AND ${INSIDE_SCOPE} ORDER BY key LIMIT ?`,
  roots: `SELECT root AS "root", MAX(version) AS "version" FROM knowledge_versions
    WHERE root > ? GROUP BY root ORDER BY root LIMIT ?`,
  rootVersion: `SELECT COALESCE(MAX(version), 0) AS "count" FROM knowledge_versions WHERE root = ?`,
}

/** The statements of one table. */
export interface TableStatements {
  /** After: what says where (see `valuesOf`), then the key of the row before. */
  readonly first: string
  readonly next: string
  readonly byKey: string
  readonly insert: string
}

/** Where rows of a session are asked for, the first values are those of `ownerOfRows`. */
export function tableStatements(table: StoredTable, dialect: SqlDialect): TableStatements {
  const { columns, key } = table
  const owners = ownerColumns(table, dialect)
  const ofOwner = owners.map((name) => `${name} = ?`)
  const names = Object.keys(columns)
  const selected = names
    .map((name) =>
      columns[name] === 'until'
        ? `CASE WHEN until > ? THEN ${STILL_KNOWN} ELSE until END AS "until"`
        : `${columnOf(name)} AS "${name}"`,
    )
    .join(', ')
  const scoped = isOfScope(table)
  const where = (bounds: string): readonly string[] => [
    ...ofOwner,
    ...(table.root === true ? ['root = ?'] : []),
    ...(scoped ? [bounds] : []),
    ...(table.since === undefined ? [] : [`${table.since} <= ?`]),
  ]
  const keys = pagedKey(table).map(columnOf).join(', ')
  const marks = pagedKey(table)
    .map(() => '?')
    .join(', ')
  const select = (conditions: readonly string[]): string =>
    `SELECT ${selected} FROM ${table.table}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}${keys === '' ? '' : ` ORDER BY ${keys}`} LIMIT ?`
  const stored = [...owners, ...names]
  const named = [...ofOwner, ...key.map((name) => `${columnOf(name)} = ?`)].join(' AND ')
  // What somebody else stored a moment ago stays, where it must be the same or is newer.
  const staying = table.yields === true || table.of === 'scope' ? ' ON CONFLICT DO NOTHING' : ''
  return {
    first: select(where(INSIDE_SCOPE)),
    next: select([...where(stillInside), ...(keys === '' ? [] : [`(${keys}) > (${marks})`])]),
    byKey: `SELECT ${names.map((name) => `${columnOf(name)} AS "${name}"`).join(', ')} FROM ${table.table} WHERE ${named}`,
    insert: `INSERT INTO ${table.table} (${stored.map(columnOf).join(', ')}) VALUES (${stored.map(() => '?').join(', ')})${staying}`,
  }
}

/** What is left of the key where its first column is the same for all rows of a page. */
export function pagedKey({ key, root }: StoredTable): readonly string[] {
  return root === true ? key.filter((name) => name !== 'root') : key
}

/** Found by the column `scope`. */
export function isOfScope({ of }: StoredTable): boolean {
  return of === 'scope' || of === 'knowledge' || of === 'state'
}

/** The columns that say whose a session's rows are; where keys begin with the scope, it is one of them. */
export function ownerColumns({ of }: StoredTable, { owned, whose }: SqlDialect): readonly string[] {
  const ownScope = of === 'session' ? owned.scope : whose
  return of !== 'session' && of !== 'cursor' ? [] : ownScope === '' ? ['session'] : ['scope', 'session']
}

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
