import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SampleFound } from '../../api/upkeep.ts'
import { MemoryError } from '../../domain/error.ts'
import type { SamplePattern } from '../../ports/erasure-store.ts'
import { ByteSearch } from './byte-search.ts'
import type { Connection } from './connection.ts'
import { IN_MEMORY } from './open-database.ts'

const ROWS_PER_TURN = 2_000
const FOUND_MAX = 1_000
const BESIDE = ['-wal', '-shm', '-journal'] as const
/** As `restore` names them. */
const COPIES = ['.former-', '.restoring-'] as const

/** Looks through every value of every table, and then through every byte of the files. */
export async function searchDatabase(
  connection: Connection,
  patterns: readonly SamplePattern[],
): Promise<readonly SampleFound[]> {
  const { file } = connection
  const inTables = await searchTables(connection, new ByteSearch(patterns))
  const inFiles = file === IN_MEMORY ? [] : await searchFiles(await filesOf(file), patterns)
  return [...inTables, ...inFiles].slice(0, FOUND_MAX)
}

/** The database with what is beside it, and the copies of it that restoring left: nothing that was forgotten since is gone from those. */
async function filesOf(file: string): Promise<readonly string[]> {
  const names = await readdir(dirname(file))
  const copies = names.filter((name) => COPIES.some((end) => name.startsWith(`${basename(file)}${end}`)))
  return [file, ...BESIDE.map((end) => `${file}${end}`), ...copies.map((name) => join(dirname(file), name))]
}

async function searchTables(connection: Connection, search: ByteSearch): Promise<readonly SampleFound[]> {
  const database = connection.database()
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[]
  const found: SampleFound[] = []
  const ownerOf = owners(connection)
  for (const table of tables) {
    for (let offset = 0; ; offset += ROWS_PER_TURN) {
      const rows = database
        .prepare(`SELECT * FROM "${table}" LIMIT ${ROWS_PER_TURN} OFFSET ${offset}`)
        .all() as Readonly<Record<string, unknown>>[]
      for (const row of rows)
        for (const [column, value] of Object.entries(row))
          for (const { pattern } of search.in(bytesOf(value)))
            if (found.length < FOUND_MAX)
              found.push({ ...pick(pattern), where: `table ${table}, column ${column}`, ...ownerOf(table, row) })
      if (rows.length < ROWS_PER_TURN) break
      await setImmediate()
    }
  }
  return found
}

function pick({ sample, form }: SamplePattern): Pick<SampleFound, 'sample' | 'form'> {
  return { sample, form }
}

type Owner = Pick<SampleFound, 'scope' | 'session'>

/** Finds the scope and session of a row: rows of the log name their session by its key, rows of the index their scope by its shelf. */
function owners(connection: Connection): (table: string, row: Readonly<Record<string, unknown>>) => Owner {
  const database = connection.database()
  const session = database.prepare('SELECT scope, name AS session FROM sessions WHERE key = ?')
  const shelf = database.prepare('SELECT scope FROM recall_shelves WHERE key = ?')
  return (table, row) => {
    if (typeof row['session'] === 'number') return (session.get(row['session']) ?? {}) as Owner
    if (typeof row['shelf'] === 'number') return (shelf.get(row['shelf']) ?? {}) as Owner
    const name = row[table === 'sessions' ? 'name' : 'session']
    return {
      ...(typeof row['scope'] === 'string' ? { scope: row['scope'] } : {}),
      ...(typeof name === 'string' ? { session: name } : {}),
    }
  }
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  return typeof value === 'string' ? Buffer.from(value) : Buffer.alloc(0)
}

/** In another process: closing a file that SQLite has open here would end the locks that this process holds on it. */
async function searchFiles(
  files: readonly string[],
  patterns: readonly SamplePattern[],
): Promise<readonly SampleFound[]> {
  const script = fileURLToPath(new URL(`./search-files${extname(import.meta.filename)}`, import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const question = patterns.map((pattern) => ({ ...pattern, bytes: Buffer.from(pattern.bytes).toString('base64') }))
  child.stdin.on('error', () => undefined) // told by its exit
  child.stdin.end(JSON.stringify({ files, patterns: question }))
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0)
    throw new MemoryError('store/failed', `Cannot search the files: the search ended with ${String(code)}`, { files })
  return JSON.parse(Buffer.concat(pieces).toString()) as SampleFound[]
}
