import type { Program } from './program.ts'
import type { SqlDialect } from './dialect.ts'

/**
 * The scopes whose rows a program may touch, each by itself; with a slash at its end (`acme/`), what lies below it.
 * `every scope` is for the memory's own work. A database with row security enforces it beside the statements' own filters.
 */
export type VisibleScopes = readonly string[] | 'every scope'

/** Who runs programs. Stores are written once against this. */
export interface Database {
  readonly dialect: SqlDialect
  /** Each statement sees what is committed when it runs. */
  read<Result>(
    attempt: string,
    visible: VisibleScopes,
    program: () => Program<Result>,
    /** Reads before this call returns, where the database is in this process: what is written later is not seen. */
    when?: 'at once',
  ): Promise<Result>
  /** All statements see one moment. */
  snapshot<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result>
  /**
   * One transaction, durable when it resolves. The program may run more than once; it throws a MemoryError only before
   * its first change.
   */
  write<Result>(attempt: string, visible: VisibleScopes, program: () => Program<Result>): Promise<Result>
}
