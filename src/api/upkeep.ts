/** One place where stored data has changed since it was written. */
export interface Damage {
  /** The scope; empty if it belongs to none, such as the audit trail. */
  readonly scope: string
  /** The session; empty if it belongs to none. */
  readonly session: string
  /** The position of the message; null if it is about no single message. */
  readonly seq: number | null
  /** What is damaged. */
  readonly what:
    | 'message'
    | 'revision'
    | 'amendment'
    | 'chain'
    | 'order'
    | 'blob'
    | 'session'
    | 'audit'
    | 'row'
    | 'index'
    | 'head'
  /** Primary data cannot be made again from anything else; derived data can. */
  readonly data: 'primary' | 'derived'
  /** What was found, in words. */
  readonly message: string
  /** What to do: restore a backup, or rebuild what is derived from the log. */
  readonly remedy: 'restore' | 'rebuild'
}

/** What a check of the log found. */
export interface LogReport {
  /** Sessions that were read. */
  readonly sessions: number
  /** Messages that were read, without forgotten ones. */
  readonly messages: number
  /** Tombstones of forgotten messages. */
  readonly forgotten: number
  /** Encrypted messages whose key is missing: only their place in the hash chain was checked. Left out if there are none. */
  readonly sealed?: number
  /** Every place where stored data has changed since it was written. */
  readonly damage: readonly Damage[]
}

/** What a check of the stored data found. */
export interface VerifyReport extends LogReport {
  /** Nothing is wrong. */
  readonly ok: boolean
  /** What the database's own check of its file found. */
  readonly file: readonly string[]
  /** Rows of other tables that were read: facts, state, keys and everything else that is not the log. */
  readonly rows: number
  /** What the search index was compared with. Left out with `index: false`. */
  readonly index?: IndexReport
  /** What the given statement of heads was compared with. Left out without one. */
  readonly head?: HeadReport
}

/** How `verify` works. */
export interface VerifyOptions {
  /** A statement that `head` returned earlier: proves that nothing was cut off the end since. @default none */
  readonly head?: MemoryHead
  /**
   * Compare the search index with one that is made from the log, in memory. That takes as long as indexing.
   *
   * @default true
   */
  readonly index?: boolean
  /** Called after each session with how far it is. Not called through a server. */
  readonly onProgress?: (progress: VerifyProgress) => void
}

/** How far `verify` is. */
export interface VerifyProgress {
  /** Sessions that were read. */
  readonly sessions: number
  /** Messages that were read. */
  readonly messages: number
}

/** The comparison of the search index with the log. */
export interface IndexReport {
  /** Scopes whose index was compared. */
  readonly scopes: number
  /** Scopes that were not compared, because not everything in them is indexed yet. */
  readonly skipped: number
}

/** The comparison with a statement of heads. */
export interface HeadReport {
  /** When the statement was made. */
  readonly at: string
  /** Sessions in the statement. */
  readonly sessions: number
  /** Sessions of the statement that were forgotten since. */
  readonly forgotten: number
  /** Rows of other tables in the statement. */
  readonly rows: number
  /**
   * Rows of the statement that are gone where something was forgotten or replaced since. They cannot be distinguished from rows that
   * somebody removed: make a new statement after you forget something.
   */
  readonly gone: number
}

/** Where everything that only grows ended at one moment. Keep it somewhere else, and give it to `verify` later. */
export interface MemoryHead {
  /** The format of the statement. */
  readonly format: 'daybook-head-2'
  /** When it was made. */
  readonly at: string
  /** The end of each session, oldest session first. */
  readonly sessions: readonly SessionPosition[]
  /** The newest version of the facts of each root scope. */
  readonly knowledge: readonly KnowledgePosition[]
  /** How often each state was changed: of sessions, their blocks, blocks of scopes, and collections of records. */
  readonly state: readonly StatePosition[]
  /** The last entry of the audit trail; null if there is none. */
  readonly audit: AuditPosition | null
  /** Rows of other tables: facts, state, keys, and what was forgotten. */
  readonly rows: readonly StatedRows[]
}

/** Rows of one table in one place that may not vanish. */
export interface StatedRows {
  /** The table. */
  readonly table: string
  /** Their scope; empty if they belong to none. */
  readonly scope: string
  /** Their session or place, or the number of their session; empty if they belong to none. */
  readonly session: string
  /** Hashes of 6 bytes each, one after the other, in base64. */
  readonly hashes: string
}

/** How often a state was changed. */
export interface StatePosition {
  /** Its scope. */
  readonly scope: string
  /** The session or the place that it belongs to. */
  readonly session: string
  /** Its version. */
  readonly version: number
}

/** The end of a session. */
export interface SessionPosition {
  /** The number of the session in this database. */
  readonly key: number
  /** Its scope. */
  readonly scope: string
  /** Its id. */
  readonly session: string
  /** The position of its last message. */
  readonly seq: number
  /** Its version. */
  readonly version: number
  /** The last link of its hash chain, in hexadecimal. */
  readonly link: string
}

/** The newest version of what a root scope knows. */
export interface KnowledgePosition {
  /** The root scope. */
  readonly root: string
  /** The version. */
  readonly version: number
}

/** The last entry of the audit trail. */
export interface AuditPosition {
  /** Its number. */
  readonly number: number
  /** Its hash. */
  readonly chain: string
}

/** The schema of a memory's database. */
export interface Schema {
  /** Its version: how many migrations were applied. */
  readonly version: number
  /** How many partitions the large tables have: 1, unless a PostgreSQL database was created with more. */
  readonly partitions: number
  /** The migrations, oldest first. */
  readonly migrations: readonly MigrationStep[]
}

/** One step of a schema. */
export interface MigrationStep {
  /** Its number. */
  readonly number: number
  /** Its name. */
  readonly name: string
  /** When it was applied. */
  readonly appliedAt: string
}

/** How much a memory has, and what it is stored in. */
export interface MemoryStats {
  /** The database, for example `sqlite 3.50.2` or `postgres 17.2`. */
  readonly store: string
  /** The version of its schema. */
  readonly schemaVersion: number
  /** What compares vectors: an index of the database such as `pgvector 0.8.0`, or this `process`, exactly. */
  readonly vectorSearch: string
  /** Sessions in all scopes. */
  readonly sessions: number
  /** Messages in all scopes. */
  readonly messages: number
  /** Facts in all scopes. */
  readonly facts: number
  /** The size of the database in bytes. */
  readonly bytes: number
}

/** Something that was in what was forgotten and nowhere else: a text, a word, a vector, or bytes. */
export type Sample = string | Float32Array | Uint8Array | readonly number[]

/** Where a sample was found. */
export interface SampleFound {
  /** Which of the samples, counted from 0. */
  readonly sample: number
  /** In which form: `utf-8`, `json`, `utf-16`, `folded`, `stem` or `float32`. */
  readonly form: string
  /** A table and column, or a file and an offset. */
  readonly where: string
  /** The scope of the row, if it has one. */
  readonly scope?: string
  /** The session of the row, if it has one. */
  readonly session?: string
}

/** Whether something forgotten is still stored anywhere. */
export interface ForgottenReport {
  /** Nothing was found, and nothing is left to do. */
  readonly ok: boolean
  /** The id of the receipt. */
  readonly id: string
  /** How many samples were looked for. */
  readonly samples: number
  /** Pages of deleted rows may still be in the file: see `pending` of the receipt. */
  readonly pending: boolean
  /** Where samples were found, at most 1,000 places. */
  readonly found: readonly SampleFound[]
}
