const ADDED_COLUMN = /^ALTER TABLE (\w+) ADD COLUMN ([^;]+)$/
const CREATED_TABLE = /^CREATE TABLE (\w+) \(/
/** SQLite, too, puts an added column behind the other columns and before what is said about the whole table. */
const AFTER_COLUMNS = /,\s*(?:PRIMARY KEY|UNIQUE|FOREIGN KEY|CHECK) \(|\)(?: STRICT| WITHOUT ROWID|,)*$/

/**
 * The statements of all migrations for a file that has no tables yet. A column that a later migration adds is created with its table,
 * because SQLite reads the whole schema again after each `ALTER TABLE`: that was a third of the time to open a new file.
 */
export function newFileStatements(statements: readonly string[]): readonly string[] {
  const added = new Map<string, string[]>()
  const made: string[] = []
  // From the last to the first, so that a column is only added to the table as it was last created.
  for (const statement of statements.toReversed()) {
    const [, table = '', column = ''] = ADDED_COLUMN.exec(statement) ?? []
    if (table !== '') added.set(table, [column, ...(added.get(table) ?? [])])
    else made.push(withColumns(statement, added))
  }
  return made.toReversed()
}

function withColumns(statement: string, added: Map<string, string[]>): string {
  const table = CREATED_TABLE.exec(statement)?.[1] ?? ''
  const columns = added.get(table)
  if (columns === undefined) return statement
  added.delete(table)
  const { index } = AFTER_COLUMNS.exec(statement) ?? { index: statement.length }
  return `${statement.slice(0, index)}, ${columns.join(', ')}${statement.slice(index)}`
}
