import type { ArchiveImportOptions, ArchiveSource, Imported } from '../api/archive.ts'
import { checkScope } from '../domain/names.ts'
import { MemoryError } from '../domain/error.ts'
import { sha256 } from '../log/chain.ts'
import type { ArchiveRow, ArchiveTable, ArchiveRange } from '../ports/archive-store.ts'
import { damaged } from './damaged.ts'
import type { ArchivedStore } from './export-archive.ts'
import { ForgottenHere } from './forgotten-here.ts'
import { importedEntry, importedSession } from './read-log-record.ts'
import { type ReadRecord, readRecords } from './read-records.ts'
import { type RecordShape, logShapes, readRow } from './records.ts'
import { SessionWriter } from './session-writer.ts'

const ROWS_PER_BATCH = 500
const BYTES_PER_BATCH = 4 * 1024 * 1024
const RECORDS_PER_PROGRESS = 1_000

/**
 * Stores what an archive has and the memory has not. Each record is stored after its hash was checked, a session always as
 * a beginning of itself; so an import that was interrupted resumes when it is done again, and one that is done
 * again changes nothing. It never mixes: what is here with other content is a conflict. What was forgotten here stays forgotten.
 *
 * @throws {MemoryError} `archive/damaged` with the line; `archive/conflict` with what is in the way.
 */
export async function importArchive(
  store: ArchivedStore,
  source: ArchiveSource,
  options: ArchiveImportOptions = {},
): Promise<Imported> {
  const importing = new Import(store, options)
  for await (const record of readRecords(source)) await importing.take(record)
  return importing.finish()
}

class Import {
  readonly #store: ArchivedStore
  readonly #options: ArchiveImportOptions
  readonly #tables: ReadonlyMap<string, ArchiveTable>
  readonly #gone: ForgottenHere
  #session: SessionWriter | undefined
  /** Rows that come before the log of the session: whether it is stored at all, its messages say. */
  #cursors: { readonly table: ArchiveTable; readonly row: ArchiveRow; readonly line: number }[] = []
  #batch: { table: ArchiveTable; place: ArchiveRange; rows: ArchiveRow[]; lines: number[]; bytes: number } | undefined
  #progress: Imported = { records: 0, bytes: 0, stored: 0, forgotten: 0, sessions: 0, messages: 0 }
  #read = 0

  constructor(store: ArchivedStore, options: ArchiveImportOptions) {
    this.#store = store
    this.#options = options
    this.#gone = new ForgottenHere(store)
    this.#tables = new Map(store.archive.tables.map((table) => [table.kind, table]))
  }

  async take(record: ReadRecord): Promise<void> {
    const { kind, line, bytes } = record
    const size = bytes - this.#read
    this.#read = bytes
    if (kind === 'session') await this.#beginSession(record)
    else if (kind === 'message' || kind === 'amendment') await this.#takeEntry(record, kind, size)
    else {
      const table = this.#tables.get(kind)
      if (table === undefined)
        throw damaged(line, 'a kind that this version of Daybook cannot read', 'a known kind', kind)
      await this.#takeRow(table, record, size)
    }
    this.#count({ records: 1 })
    this.#progress = { ...this.#progress, bytes }
    if (this.#progress.records % RECORDS_PER_PROGRESS === 0) this.#options.onProgress?.(this.#progress)
  }

  async finish(): Promise<Imported> {
    await this.#flushRows()
    await this.#endSession()
    await this.#gone.end()
    this.#options.onProgress?.(this.#progress)
    return this.#progress
  }

  async #beginSession(record: ReadRecord): Promise<void> {
    await this.#flushRows()
    await this.#endSession()
    const session = importedSession(record.line, rowOf(logShapes.session, record))
    this.#checkScope(record.line, session.scope)
    this.#session = new SessionWriter(this.#store.log, session, record.line)
  }

  /** Finds out whether the session was forgotten here, and otherwise begins it: then rows can be put to it. */
  async #openSession(session: SessionWriter): Promise<void> {
    if (session.isOpen) return
    await session.open(this.#gone)
    this.#count({
      sessions: session.isForgotten ? 0 : 1,
      forgotten: session.isForgotten ? 1 + this.#cursors.length : 0,
      stored: session.takeStored(),
    })
    const cursors = this.#cursors
    this.#cursors = []
    for (const { table, row, line } of session.isForgotten ? [] : cursors) {
      this.#batch = {
        table,
        place: { scope: session.scope, session: session.key },
        rows: [row],
        lines: [line],
        bytes: 0,
      }
      await this.#flushRows()
    }
  }

  async #flushSession(session: SessionWriter): Promise<void> {
    await this.#openSession(session)
    await session.flush()
    this.#count({
      stored: session.takeStored(),
      forgotten: session.takeForgotten(),
      messages: session.takeMessages(),
    })
  }

  async #takeEntry(record: ReadRecord, kind: 'message' | 'amendment', size: number): Promise<void> {
    const session = this.#session ?? outOfPlace(record, 'a session before it')
    await this.#flushRows()
    session.take(importedEntry(record.line, kind, rowOf(logShapes[kind], record)), record.line, size)
    if (session.rows < ROWS_PER_BATCH && session.bytes < BYTES_PER_BATCH) return
    await this.#flushSession(session)
  }

  async #takeRow(table: ArchiveTable, record: ReadRecord, size: number): Promise<void> {
    const { line } = record
    const row = rowOf(table, record)
    if (this.#batch?.table !== table) await this.#flushRows()
    // Whether the last session was forgotten here decides about its state, which follows.
    if (table.of !== 'cursor' && table.of !== 'session') await this.#endSession()
    if (table.of === 'cursor' && this.#session?.isOpen === false) {
      this.#cursors.push({ table, row, line })
      return
    }
    const place = await this.#placeOf(table, row, record)
    if (!(await this.#isForBatch(table, row, place))) return
    this.#batch ??= { table, place, rows: [], lines: [], bytes: 0 }
    this.#batch.rows.push(row)
    this.#batch.lines.push(line)
    this.#batch.bytes += size
    if (this.#batch.rows.length >= ROWS_PER_BATCH || this.#batch.bytes >= BYTES_PER_BATCH) await this.#flushRows()
  }

  /** Whether a row is stored with its batch. The others are left out, or are stored by themselves. */
  async #isForBatch(table: ArchiveTable, row: ArchiveRow, place: ArchiveRange): Promise<boolean> {
    const rule = await this.#ruleFor(table, row)
    if (rule === 'store') return true
    if (rule === 'leave-out') {
      this.#count({ forgotten: 1 })
      return false
    }
    const answer = await this.#store.archive.put(table.kind, place, [row])
    // What is here under the same key stays as it is.
    if ('stored' in answer && answer.stored > 0) {
      this.#gone.wasStored(table, row)
      this.#count({ stored: answer.stored })
    }
    return false
  }

  async #ruleFor(table: ArchiveTable, row: ArchiveRow): Promise<'store' | 'leave-out' | 'store-if-new'> {
    const session = this.#session
    if ((table.of === 'cursor' || table.of === 'session') && session !== undefined) {
      if (session.isForgotten) return 'leave-out'
      if (table.kind !== 'operation') return 'store'
      const address = { scope: session.scope, session: session.name }
      const gone = await this.#gone.idsAmong(address, 'operation', [String(row['id'])])
      return gone.size === 0 ? 'store' : 'leave-out'
    }
    if (table.kind === 'blob') this.#gone.addBlob(row)
    if (table.kind === 'forgotten') this.#gone.addName(row)
    return this.#gone.ruleFor(table, row)
  }

  async #placeOf(table: ArchiveTable, row: ArchiveRow, record: ReadRecord): Promise<ArchiveRange> {
    if (table.of === 'cursor' || table.of === 'session') {
      const session = this.#session ?? outOfPlace(record, 'a session before it')
      await this.#flushSession(session)
      return { scope: session.scope, session: session.key }
    }
    const { scope, root, hash, bytes } = row
    this.#checkScope(record.line, scope)
    if (root !== undefined && root !== String(scope).split('/')[0])
      throw damaged(record.line, `root ${JSON.stringify(root)}`, 'the first segment of its scope', record.kind)
    if (
      table.kind === 'blob' &&
      (!(bytes instanceof Uint8Array) || Buffer.from(sha256(bytes)).toString('hex') !== hash)
    )
      throw damaged(record.line, 'bytes that are not those of its hash', String(hash), record.kind)
    return { scope: this.#options.scope ?? null }
  }

  #checkScope(line: number, scope: unknown): void {
    const { scope: allowed } = this.#options
    try {
      checkScope('import', scope)
    } catch (error) {
      throw damaged(line, error instanceof Error ? error.message : String(error), 'a scope')
    }
    if (allowed !== undefined && scope !== allowed && !scope.startsWith(`${allowed}/`))
      throw damaged(line, `scope ${JSON.stringify(scope)}`, `one in ${JSON.stringify(allowed)}`)
  }

  async #flushRows(): Promise<void> {
    const batch = this.#batch
    if (batch === undefined) return
    this.#batch = undefined
    const { table, place, rows, lines } = batch
    const answer = await this.#store.archive.put(table.kind, place, rows)
    if ('conflict' in answer)
      throw rowConflict(table, rows[answer.conflict] ?? {}, lines[answer.conflict] ?? 0, this.#session)
    this.#count({ stored: answer.stored })
  }

  async #endSession(): Promise<void> {
    const session = this.#session
    if (session === undefined) return
    await this.#flushSession(session)
    this.#session = undefined
    await session.end()
    this.#count({ stored: session.takeStored() })
  }

  #count(more: Partial<Imported>): void {
    const { records = 0, stored = 0, forgotten = 0, sessions = 0, messages = 0 } = more
    const now = this.#progress
    this.#progress = {
      ...now,
      records: now.records + records,
      stored: now.stored + stored,
      forgotten: now.forgotten + forgotten,
      sessions: now.sessions + sessions,
      messages: now.messages + messages,
    }
  }
}

function rowOf(shape: RecordShape, { line, kind, row }: ReadRecord): ArchiveRow {
  const read = readRow(shape, row)
  if (typeof read === 'string') throw damaged(line, read, `a record of kind ${kind}`, kind)
  return read
}

function outOfPlace({ line, kind }: ReadRecord, wanted: string): never {
  throw damaged(line, 'it is not part of a session', wanted, kind)
}

function rowConflict(
  table: ArchiveTable,
  row: ArchiveRow,
  line: number,
  session: SessionWriter | undefined,
): MemoryError {
  const key = Object.fromEntries(table.key.map((name) => [name, row[name]]))
  const where = table.of === 'cursor' || table.of === 'session' ? { scope: session?.scope, session: session?.name } : {}
  return new MemoryError(
    'archive/conflict',
    `Cannot import line ${line}: the ${table.kind} ${JSON.stringify({ ...where, ...key })} is stored with other content, expected the same or none`,
    { line, record: table.kind, ...where, key },
  )
}
