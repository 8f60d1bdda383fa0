/** What differs between the databases we speak to. Everything else about our SQL is written once. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres'
  readonly integer: string
  readonly bytes: string
  /** A key that the database hands out, rising and never reused. */
  readonly identity: string
  /** Ends a table whose rows are stored in the order of their primary key. */
  readonly clustered: string
}
