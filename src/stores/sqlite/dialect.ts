import type { SqlDialect } from '../sql/dialect.ts'

export const sqlite: SqlDialect = {
  name: 'sqlite',
  integer: 'INTEGER',
  bytes: 'BLOB',
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  clustered: ' WITHOUT ROWID',
  lock: undefined,
  forUpdate: '',
  skipLocked: '',
}
