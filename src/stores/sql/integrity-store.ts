import type { ChangedRow, IntegrityPlace, IntegrityStore } from '../../ports/integrity-store.ts'
import type { Database } from './database.ts'
import { indexRows } from './index-rows.ts'
import { ownerValues } from './log-statements.ts'
import { callKey } from './call-key.ts'
import { type Program, all, countRows, lists, listsEach, one } from './program.ts'
import { rowGaps } from './row-gaps.ts'
import { coveredColumns, digestOfRow } from './row-digests.ts'
import { statedRow } from './stated-row.ts'
import { strayIndexRows } from './stray-index-rows.ts'
import { type DigestTable, digestTables } from './tables.ts'

const ROWS_PER_PAGE = 500
const TOMBSTONE = `SELECT last_seq AS "lastSeq" FROM forgotten_sessions WHERE session = ?`
const STATES = `SELECT scope AS "scope", session AS "session", version AS "version" FROM state_heads
  WHERE (scope, session) > (?, ?) AND version > 0 ORDER BY scope, session LIMIT ?`
const STATE = `SELECT version AS "version" FROM state_heads WHERE scope = ? AND session = ?`

export function integrityStore(database: Database): IntegrityStore {
  return {
    forgottenSession: (key) =>
      database.read('read what is left of a session', 'every scope', () =>
        one<{ readonly lastSeq: number }>(TOMBSTONE, key),
      ),
    states: ({ after: { scope, session }, limit }) =>
      database.read('list states', 'every scope', () => all(STATES, scope, session, limit)),
    stateVersion: async ({ scope, session }) => {
      const find = (): Program<{ readonly version: number } | undefined> => one(STATE, scope, session)
      return (await database.read('read the version of a state', [scope], find))?.version
    },
    links: (session, wanted) =>
      database.read('verify links', [session.scope], function* () {
        const owner = ownerValues(database.dialect, session)
        const { is } = database.dialect.owned
        if (wanted === undefined)
          return yield* countRows(`SELECT COUNT(*) AS "count" FROM tool_links WHERE ${is}`, ...owner)
        const found = yield* listsEach<readonly unknown[]>(
          `SELECT 1 FROM tool_links WHERE ${is} AND call_id = ? AND seq = ? AND kind = ?`,
          wanted.map(({ callId, seq, kind }) => [...owner, callKey(callId), seq, kind]),
        )
        return found.flat().length
      }),
    strayIndexRows: strayIndexRows(database),
    index: (scope, table, places) => indexRows(database, scope, table, places),
    page: async (from, { stated }) => {
      const table = digestTables[from.table]
      if (table === undefined) return { read: 0, changed: [], stated: [], next: undefined }
      const { key, all: columns } = coveredColumns(table, database.dialect)
      // What a row says about others is true at one moment.
      const { rows, gaps } = await database.snapshot('verify stored rows', 'every scope', () =>
        readPage(table, { key, columns }, from.after),
      )
      const last = rows.at(-1)
      const next: IntegrityPlace | undefined =
        last !== undefined && rows.length === ROWS_PER_PAGE
          ? { table: from.table, after: last.slice(0, key.length) }
          : from.table + 1 < digestTables.length
            ? { table: from.table + 1 }
            : undefined
      return {
        read: rows.length,
        changed: [...rows.flatMap((row) => changedIn(table, key, row)), ...gaps],
        stated: stated ? rows.flatMap((row) => statedRow(table, columns, row)) : [],
        next,
      }
    },
  }
}

interface RowPage {
  readonly rows: readonly (readonly unknown[])[]
  /** Rows that show that others are missing. */
  readonly gaps: readonly ChangedRow[]
}

function* readPage(
  table: DigestTable,
  { key, columns }: { readonly key: readonly string[]; readonly columns: readonly string[] },
  after: readonly unknown[] | undefined,
): Program<RowPage> {
  const [names, marks] = [key.map((name) => `t.${name}`).join(', '), key.map(() => '?').join(', ')]
  const where = after === undefined ? 'TRUE' : `(${names}) > (${marks})`
  const covered = [...columns, 'row_digest'].map((name) => `t.${name}`).join(', ')
  const rows = yield* lists<readonly unknown[]>(
    `SELECT ${covered} FROM ${table.name} t WHERE ${where} ORDER BY ${names} LIMIT ${ROWS_PER_PAGE}`,
    ...(after ?? []),
  )
  const last = rows.at(-1)?.slice(0, key.length)
  const gaps: ChangedRow[] = []
  for (const { where: isMissing, missing } of last === undefined ? [] : (rowGaps[table.name] ?? []))
    for (const found of yield* lists<readonly unknown[]>(
      `SELECT ${names} FROM ${table.name} t WHERE ${where} AND (${names}) <= (${marks}) AND ${isMissing}`,
      ...(after ?? []),
      ...(last ?? []),
    ))
      gaps.push(changedRow(table, key, found, `is there, and this is missing: ${missing}`))
  return { rows, gaps }
}

function changedIn(table: DigestTable, key: readonly string[], row: readonly unknown[]): readonly ChangedRow[] {
  const digest = row.at(-1)
  if (digest instanceof Uint8Array && digestOfRow(table.name, row.slice(0, -1)).equals(digest)) return []
  return [changedRow(table, key, row, digest === null ? 'has no digest' : 'is not what was written')]
}

function changedRow(
  { name: table, holds }: DigestTable,
  key: readonly string[],
  row: readonly unknown[],
  problem: string,
): ChangedRow {
  const shown = key.map((column, nth) => [column, textOf(row[nth])])
  return {
    table,
    holds: holds === 'derived' ? 'derived' : 'primary',
    key: Object.fromEntries(shown) as ChangedRow['key'],
    problem,
  }
}

function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
