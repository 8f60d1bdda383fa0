import { hash } from 'node:crypto'
import { isList } from '../../domain/interleave.ts'
import type { SqlDialect } from './dialect.ts'
import { type Program, type ProgramStep, lists, together, write } from './program.ts'
import { type DigestTable, digestTables } from './tables.ts'

const ROWS_PER_STEP = 500
/** 16 bytes. */
const DIGEST_HEX_LENGTH = 32
const WRITES = /^\s*(?:INSERT INTO|UPDATE) (\w+)/
/** A new row whose values are all given. */
const INSERTS = /^INSERT INTO \w+\s*\(([^()]*)\)\s*VALUES \(((?:\?, )*\?)\)/

/** Columns that find a row of the table, and all that its digest covers, in the order in which they are read. */
export function coveredColumns(
  table: DigestTable,
  { owned, whose }: Pick<SqlDialect, 'owned' | 'whose'>,
): { readonly key: readonly string[]; readonly all: readonly string[] } {
  const key = [...(table.owner === 'session' && owned.key !== '' ? ['scope'] : []), ...table.key]
  return { key, all: [...key, ...(table.owner === 'database' && whose !== '' ? ['scope'] : []), ...table.columns] }
}

/** The digest of a row, from the values of all covered columns in their order. */
export function digestOfRow(table: string, values: readonly unknown[]): Buffer {
  const plain: unknown[] = [table]
  for (const value of values)
    plain.push(value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value)
  // By way of hexadecimal, as in `log/chain.ts`.
  return Buffer.from(hash('sha256', JSON.stringify(plain), 'hex').slice(0, DIGEST_HEX_LENGTH), 'hex')
}

/** What a statement does to a table whose rows have digests. */
interface Writing {
  readonly table: DigestTable
  /** Where the statement has all values of a new row: the same with a digest, and where the covered values are. */
  readonly insert?: { readonly text: string; readonly places: readonly number[] }
}

/**
 * Gives every row that a program writes its digest, before its transaction is committed. A statement that inserts a whole row is
 * sent with the digest; one that changes a row sets `row_digest` to null, and the digest follows at the end.
 */
export class RowDigests {
  readonly #dialect: SqlDialect
  readonly #known = new Map<string, Writing | undefined>()

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect
  }

  *with<Result>(program: Program<Result>): Program<Result> {
    const touched = new Set<DigestTable>()
    let next = program.next()
    while (next.done !== true) {
      const { value } = next
      const steps = isList(value) ? value.map((step) => this.#step(step, touched)) : this.#step(value, touched)
      next = program.next(yield steps)
    }
    for (const table of touched) yield* this.#fill(table)
    return next.value
  }

  /** Digests for all rows that have none: after a migration from before there were digests. */
  *fillAll(): Program<void> {
    for (const table of digestTables) yield* this.#fill(table)
  }

  *#fill(table: DigestTable): Program<void> {
    const { key, all } = coveredColumns(table, this.#dialect)
    const select = `SELECT ${all.join(', ')} FROM ${table.name} WHERE row_digest IS NULL LIMIT ${ROWS_PER_STEP}`
    const update = `UPDATE ${table.name} SET row_digest = ? WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`
    for (;;) {
      const rows = yield* lists<readonly unknown[]>(select)
      yield* together(
        rows.map((values) => write(update, digestOfRow(table.name, values), ...values.slice(0, key.length))),
      )
      if (rows.length < ROWS_PER_STEP) return
    }
  }

  #step(step: ProgramStep, touched: Set<DigestTable>): ProgramStep {
    if (step.gives === 'lists') return step
    if (!this.#known.has(step.text)) this.#known.set(step.text, this.#writingOf(step.text))
    const writing = this.#known.get(step.text)
    if (writing === undefined) return step
    const { table, insert } = writing
    if (insert === undefined) {
      touched.add(table)
      return step
    }
    const values = insert.places.map((place) => step.values[place])
    return { ...step, text: insert.text, values: [...step.values, digestOfRow(table.name, values)] }
  }

  #writingOf(text: string): Writing | undefined {
    const [, name] = WRITES.exec(text) ?? []
    const table = digestTables.find((one) => one.name === name)
    if (table === undefined) return undefined
    const [whole, columns = '', marks = ''] = INSERTS.exec(text) ?? []
    const names = columns.split(',').map((column) => column.trim())
    const places = coveredColumns(table, this.#dialect).all.map((column) => names.indexOf(column))
    if (whole === undefined || text.includes('DO UPDATE') || places.includes(-1)) return { table }
    const inserting = `INSERT INTO ${table.name} (${columns}, row_digest) VALUES (${marks}, ?)`
    return { table, insert: { text: inserting + text.slice(whole.length), places } }
  }
}
