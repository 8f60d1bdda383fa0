import type { SqlDialect } from '../sql/dialect.ts'

export const sqlite: SqlDialect = {
  name: 'sqlite',
  integer: 'INTEGER',
  bytes: 'BLOB',
  text: 'TEXT',
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  // One file is one owner's to guard: the session alone finds its rows, and no row is larger for it.
  owned: {
    scope: '',
    key: '',
    references: ' REFERENCES sessions (key)',
    identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    primary: '',
    is: 'session = ?',
  },
  whose: '',
  clustered: ' WITHOUT ROWID',
  lock: undefined,
  forUpdate: '',
  skipLocked: '',
}
