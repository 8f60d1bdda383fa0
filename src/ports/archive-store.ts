/** What a column holds. `until` is the version in which a row ceased to be known: what came later is not told. */
export type ColumnKind = 'text' | 'integer' | 'bytes' | 'until'

/** A kind of record besides the log itself. A new table of the schema is one entry of this. */
export interface ArchiveTable {
  /** What its records are called in an archive. */
  readonly kind: string
  /**
   * Whose its rows are: the memory's, a scope's, what a scope knows, or a session's; `cursor` are a session's, before its log;
   * `state` are a session's too, by the name that they have of it.
   */
  readonly of: 'scope' | 'knowledge' | 'cursor' | 'session' | 'state'
  /** By their names in an archive, in the order they are written. Of a session's rows, without the session. */
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** Columns that may be null. */
  readonly nullable: readonly string[]
  /** Columns that name a row, in the order of the archive. */
  readonly key: readonly string[]
  /** What is stored already stays, whatever the archive has. @default another row under the same key is a conflict */
  readonly yields?: true
  /** What is stored with a greater number in this column stays: it is newer than the archive. */
  readonly yieldsTo?: string
}

export type ArchiveValue = string | number | Uint8Array | null
export type ArchiveRow = Readonly<Record<string, ArchiveValue>>

/** Where rows are: in a scope and all below (`null`: in all), of a version of what is known there at most; or in a session. */
export interface ArchiveRange {
  readonly scope: string | null
  /** For what is known: its root, and the version up to which. */
  readonly known?: { readonly root: string; readonly version: number }
  readonly session?: number
}

/** A session by its place in the order of creation. */
export interface SessionEntry {
  readonly key: number
  readonly scope: string
  readonly name: string
}

/** Rows as they are, for archives. The log itself is read and written through the log's own store. */
export interface ArchiveStore {
  /** In the order of the archive. */
  readonly tables: readonly ArchiveTable[]
  /** Oldest first, of a scope and all below, or of all. */
  sessions(
    scope: string | null,
    page: { readonly after: number; readonly through: number; readonly limit: number },
  ): Promise<readonly SessionEntry[]>
  /** Roots of scopes that know something, in order, each with its newest version. */
  roots(page: { readonly after: string; readonly limit: number }): Promise<readonly { root: string; version: number }[]>
  /** The newest version of what a root knows; 0 if nothing. */
  rootVersion(root: string): Promise<number>
  /** In the order of their key, after a row if one is given. */
  rows(
    kind: string,
    place: ArchiveRange,
    page: { readonly after: ArchiveRow | undefined; readonly limit: number },
  ): Promise<readonly ArchiveRow[]>
  /**
   * Stores those that are not there, all or none, and says how many; or which row's key is stored with other values, and then
   * nothing was stored.
   */
  put(
    kind: string,
    place: ArchiveRange,
    rows: readonly ArchiveRow[],
  ): Promise<{ readonly stored: number } | { readonly conflict: number }>
  /** Deletes those of the blobs that no message of the scope shows. */
  dropUnusedBlobs(scope: string, hashes: readonly string[]): Promise<void>
}
