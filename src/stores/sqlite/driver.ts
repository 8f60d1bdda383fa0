import type { Database, Options } from 'better-sqlite3'
import { loadSqlite } from './load-sqlite.ts'

/** Opens a file, with its key if it is encrypted. Nothing is read yet: a wrong key shows at the first statement. */
export interface Driver {
  readonly encrypted: boolean
  open(file: string, options: Options): Database
}

/**
 * The driver for a file: better-sqlite3 without a key; with one its sibling, which encrypts every page of the file, its
 * write-ahead log and its journals. Each is loaded only when it is needed.
 */
export async function driverFor(key: Uint8Array | undefined): Promise<Driver> {
  if (key === undefined) return { encrypted: false, open: await loadSqlite('better-sqlite3') }
  const openFile = await loadSqlite('better-sqlite3-multiple-ciphers')
  const hex = Buffer.from(key).toString('hex')
  const open: Driver['open'] = (file, options) => {
    const database = openFile(file, options)
    // ChaCha20-Poly1305: a changed page is detected, not decrypted to something else.
    database.pragma(`cipher = 'chacha20'`)
    // The key as it is: it has all its bits, so deriving another gains nothing, and each thread would pay for it.
    database.pragma(`key = "raw:${hex}"`)
    return database
  }
  return { encrypted: true, open }
}
