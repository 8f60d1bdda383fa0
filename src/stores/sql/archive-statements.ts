import type { StoredTable } from './archive-tables.ts'
import type { SqlDialect } from './dialect.ts'
import { STILL_KNOWN } from './migrations/0003-knowledge.ts'

type Name = 'sessions' | 'sessionsInside' | 'roots' | 'rootVersion'

/** In a scope and all below: from it, up to what follows its last child, without siblings that sort in between. */
const inside = `scope >= ? AND scope < ? AND (scope = ? OR scope >= ?)`
/** The same where the row before is known to be inside: with one lower bound, so that a page begins behind that row. */
const stillInside = `scope < ? AND (scope = ? OR scope >= ?)`

export const archiveStatements: Readonly<Record<Name, string>> = {
  sessions: `SELECT key AS "key", scope AS "scope", name AS "name" FROM sessions
    WHERE key > ? AND key <= ? ORDER BY key LIMIT ?`,
  sessionsInside: `SELECT key AS "key", scope AS "scope", name AS "name" FROM sessions
    WHERE key > ? AND key <= ? AND ${inside} ORDER BY key LIMIT ?`,
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

/** Rows of a session are found by the values of `ownerOf`, and stored with them in front. */
export function tableStatements({ owned }: SqlDialect, table: StoredTable): TableStatements {
  const { columns, key } = table
  const ofSession = isOfSession(table)
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
    ...(ofSession ? [owned.is] : []),
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
  const stored = [...(ofSession ? [...(owned.scope === '' ? [] : ['scope']), 'session'] : []), ...names]
  const named = [...(ofSession ? [owned.is] : []), ...key.map((name) => `${columnOf(name)} = ?`)].join(' AND ')
  return {
    first: select(where(inside)),
    next: select([...where(stillInside), ...(keys === '' ? [] : [`(${keys}) > (${marks})`])]),
    byKey: `SELECT ${names.map((name) => `${columnOf(name)} AS "${name}"`).join(', ')} FROM ${table.table} WHERE ${named}`,
    insert: `INSERT INTO ${table.table} (${stored.map(columnOf).join(', ')}) VALUES (${stored.map(() => '?').join(', ')})`,
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

export function isOfSession({ of }: StoredTable): boolean {
  return of === 'session' || of === 'cursor'
}

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
