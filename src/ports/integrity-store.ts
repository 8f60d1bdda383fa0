/** A row that is not what was written. */
export interface ChangedRow {
  readonly table: string
  readonly holds: 'primary' | 'derived'
  /** The values of its key, by column. */
  readonly key: Readonly<Record<string, unknown>>
  /** It has no digest at all. */
  readonly isBare: boolean
}

/** Where a page of rows begins. */
export interface IntegrityPlace {
  /** The number of the table. */
  readonly table: number
  /** The key of the row before. */
  readonly after?: readonly unknown[]
}

/** Reads what `verify` compares. */
export interface IntegrityStore {
  /** A page of rows, and where the next begins. */
  page(from: IntegrityPlace): Promise<{
    readonly read: number
    readonly changed: readonly ChangedRow[]
    readonly next: IntegrityPlace | undefined
  }>
  /** What is left of a forgotten session, by its key. */
  forgottenSession(key: number): Promise<{ readonly lastSeq: number } | undefined>
}
