import type { ToolLink } from './log-store.ts'
import type { StatePlace } from './state-store.ts'

/** A row that is not what was written, or that shows that another is missing. */
export interface ChangedRow {
  readonly table: string
  readonly holds: 'primary' | 'derived'
  /** The values of its key, by column. */
  readonly key: Readonly<Record<string, unknown>>
  /** What is wrong with it, after its name. */
  readonly problem: string
}

/** Where a page of rows begins. */
export interface IntegrityPlace {
  /** The number of the table. */
  readonly table: number
  /** The key of the row before. */
  readonly after?: readonly unknown[]
}

/** What a statement of heads has of a row. */
export interface StatedRow {
  readonly table: string
  /** Its scope; empty if it belongs to none. */
  readonly scope: string
  /** Its session or place, or the number of its session; empty if it belongs to none. */
  readonly session: string
  /** Of something that was forgotten: the name that stays of it. */
  readonly name: string
  /** Hashes of what may not change: of the row, and of its end if it has ended. */
  readonly hashes: readonly string[]
}

/** The tables of the search index. */
export type IndexTable = 'shelves' | 'threads' | 'terms' | 'speakers' | 'posted' | 'passages' | 'segments' | 'postings'

/** The postings of a term in a row of the index, in three lists. */
export interface IndexedTerm {
  readonly term: number
  readonly impacts: readonly number[]
  readonly threads: readonly number[]
  readonly places: readonly number[]
  /** Whether packing it again gives the same bytes: several may mean the same postings. */
  readonly isAsPacked: boolean
}

/** Reads what `verify` compares. */
export interface IntegrityStore {
  /** A page of rows, and where the next begins. */
  page(
    from: IntegrityPlace,
    options: { readonly stated: boolean },
  ): Promise<{
    readonly read: number
    readonly changed: readonly ChangedRow[]
    /** Rows that may not vanish unseen. Empty unless `stated` is true, because hashing every row takes time. */
    readonly stated: readonly StatedRow[]
    readonly next: IntegrityPlace | undefined
  }>
  /**
   * Rows of the search index of a scope. A place is whose rows (a scope for shelves, a thread for passages, a segment for postings, else
   * a shelf) and the values of the row to go on after.
   */
  index(
    scope: string,
    table: IndexTable,
    places: readonly (readonly unknown[])[],
  ): Promise<readonly { readonly rows: readonly (readonly unknown[])[]; readonly more: boolean }[]>
  /**
   * A page of what rows of the search index belong to, those of it that are missing, and where the next page begins: the number of a
   * table, and of an owner.
   */
  strayIndexRows(from: { readonly table: number; readonly after: number }): Promise<{
    readonly strays: readonly { readonly table: string; readonly owner: string; readonly key: number }[]
    readonly next: { readonly table: number; readonly after: number } | undefined
  }>
  /** How many of these pairs of tool calls and results a session has; how many in all, if none are given. */
  links(session: { readonly scope: string; readonly key: number }, wanted?: readonly ToolLink[]): Promise<number>
  /** Versions of all states that were ever set, in the order of their places, those after a place. */
  states(page: {
    readonly after: StatePlace
    readonly limit: number
  }): Promise<readonly (StatePlace & { readonly version: number })[]>
  /** The version of a state; `undefined` if there is none. */
  stateVersion(place: StatePlace): Promise<number | undefined>
  /** What is left of a forgotten session, by its key. */
  forgottenSession(key: number): Promise<{ readonly lastSeq: number } | undefined>
}
