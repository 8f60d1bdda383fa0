import type { SqlDialect } from './dialect.ts'

/** One step of the schema. Released steps are never edited: their checksum is in every file they made. */
export interface Migration {
  readonly number: number
  readonly name: string
  statements(dialect: SqlDialect): readonly string[]
}
