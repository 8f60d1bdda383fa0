import type { SessionHead } from '../../ports/log-store.ts'
import type { ProgramStep } from './program.ts'

/** What differs between the databases we speak to. Everything else about our SQL is written once. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres'
  /** Whether a statement runs in this process, so that a further one costs no round trip. */
  readonly isLocal: boolean
  readonly integer: string
  readonly bytes: string
  /** Text that is compared and ordered by its code points, whatever language the server was set up for. */
  readonly text: string
  /** A key that the database hands out, rising and never reused. */
  readonly identity: string
  /**
   * Rows that hang on a session carry its scope too, in front of their keys: row security and partitions go by it. `scope`
   * is the column, `key` stands in front of primary keys, `references` joins them to their session.
   */
  readonly owned: {
    readonly scope: string
    readonly key: string
    readonly references: string
    /** The key of a table that others hang on, and what makes it one. */
    readonly identity: string
    readonly primary: string
    /** Picks rows by their owner: its values are those of `ownerOf`. */
    readonly is: string
  }
  /**
   * The column that says whose a row is, of tables that no statement asks by scope: their keys belong to one scope each.
   * Filled in by the database, for row security.
   */
  readonly whose: string
  /** Compares a number with one of many: what stands after it, and the values of as many statements as that takes. */
  readonly among: {
    readonly is: string
    values(keys: readonly number[]): readonly (readonly unknown[])[]
  }
  /**
   * Many pairs of a text and a number that go into a table: where they come from, and the values of as many statements as that
   * takes. The statement has one value before them, which is the same for all.
   */
  readonly pairs: {
    readonly from: string
    values(first: number, pairs: readonly (readonly [text: string, number: number])[]): readonly (readonly unknown[])[]
  }
  /** Many pairs of a key and a number that are one value, as a table with `key` and `value`. Undefined where nothing is sent so. */
  readonly counted: string | undefined
  /** How many postings of the word index one transaction writes. */
  readonly postingsPerChange: number
  /** Ends a table whose rows are stored in the order of their primary key. */
  readonly clustered: string
  /**
   * Takes a text and waits until nobody else's transaction holds it; it is held until the own one ends. Undefined where
   * there is one writer at a time anyway.
   */
  readonly lock: string | undefined
  /**
   * What time it is for all who share the database, in milliseconds since 1970. A subquery: taken once a statement, so that an
   * index can be asked with it.
   */
  readonly now: string
  /** Which blobs bodies show: what stands for each body in a subquery, and the list of their hashes, each once, in JSON. */
  readonly blobsShown: {
    each(body: string): string
    list(shown: string): string
  }
  /** Ends a SELECT whose rows nobody else may change until the transaction ends; what it reads is the newest. */
  readonly forUpdate: string
  /** The same for whatever nobody else holds: the rest is passed over. */
  readonly skipLocked: string
  /**
   * Blobs that a change rests on must not be removed before it is committed: what ends a SELECT of one, and what to do with one
   * that is there already.
   */
  readonly blobs: {
    readonly forShare: string
    readonly onConflict: string
  }
  /** Both keep others from changing sessions until the transaction ends. */
  readonly sessions: {
    /** Reads sessions by scope and name. */
    lock(names: readonly (readonly [scope: string, name: string])[]): readonly ProgramStep[]
    /** Checks that sessions are as they are known. Where one is not, there is no row for it, or the transaction fails. */
    hold(heads: readonly SessionHead[]): readonly ProgramStep[]
  }
}
