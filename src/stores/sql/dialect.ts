/** What differs between the databases we speak to. Everything else about our SQL is written once. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres'
  readonly integer: string
  readonly bytes: string
  /** A key that the database hands out, rising and never reused. */
  readonly identity: string
  /** Ends a table whose rows are stored in the order of their primary key. */
  readonly clustered: string
  /**
   * Takes a text and waits until nobody else's transaction holds it; it is held until the own one ends. Undefined where
   * there is one writer at a time anyway.
   */
  readonly lock: string | undefined
  /** Ends a SELECT whose rows nobody else may change until the transaction ends; what it reads is the newest. */
  readonly forUpdate: string
  /** The same for whatever nobody else holds: the rest is passed over. */
  readonly skipLocked: string
}
