import type { Connection } from './connection.ts'

/** Runs statements by their text. */
export class Rows {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  all<Row>(statement: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#connection.statement(statement).all(...values) as Row[]
  }

  one<Row>(statement: string, ...values: readonly unknown[]): Row | undefined {
    return this.#connection.statement(statement).get(...values) as Row | undefined
  }

  count(statement: string, ...values: readonly unknown[]): number {
    return this.one<{ readonly count: number }>(statement, ...values)?.count ?? 0
  }

  run(statement: string, ...values: readonly unknown[]): void {
    this.#connection.statement(statement).run(...values)
  }
}
