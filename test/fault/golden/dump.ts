import Database from 'better-sqlite3'

/** A database as SQL text that makes it again. */
export function dump(file: string): string {
  const database = new Database(file, { readonly: true })
  const schema = database
    .prepare(
      `SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .all() as { name: string; type: string; sql: string }[]
  const lines = schema.map(({ sql }) => `${sql};`)
  for (const { name } of schema.filter(({ type }) => type === 'table')) {
    const columns = (database.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name)
    const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `)
    const rows = database.prepare(`SELECT ${values} FROM ${name}`).pluck().all() as string[]
    lines.push(...rows.map((row) => `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${row});`))
  }
  for (const pragma of ['application_id', 'user_version']) {
    lines.push(`PRAGMA ${pragma} = ${String(database.pragma(pragma, { simple: true }))};`)
  }
  database.close()
  return `${lines.join('\n')}\n`
}

/** The statements of a dump that are not rows: what a release must not change. */
export function schemaOf(text: string): string {
  return text.replaceAll(/^INSERT INTO (?!migrations\b).*$\n/gm, '').replaceAll(/, \d+\);$/gm, ');')
}
