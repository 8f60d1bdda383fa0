// oxlint-disable-next-line typescript/triple-slash-reference -- ambient: who compiles these sources by import has no other way to see it
/// <reference path="./better-sqlite3-multiple-ciphers.d.ts" />
import BetterSqlite, { type Database, type Options } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'

/** Opens a file, with its key if it is encrypted. Nothing was read yet: a wrong key shows at the first statement. */
export interface Driver {
  readonly encrypted: boolean
  open(file: string, options: Options): Database
}

/** The peer that can encrypt. */
const PACKAGE = 'better-sqlite3-multiple-ciphers'

export const plainDriver: Driver = { encrypted: false, open: (file, options) => new BetterSqlite(file, options) }

/**
 * Who opens the file: without a key the driver that everybody has, with one its twin that encrypts every page of the file,
 * of its write-ahead log and of its journals. The twin is loaded only then.
 */
export async function driverFor(key: Uint8Array | undefined): Promise<Driver> {
  if (key === undefined) return plainDriver
  const Ciphers = await loadCiphers()
  const hex = Buffer.from(key).toString('hex')
  const open: Driver['open'] = (file, options) => {
    const database = new Ciphers(file, options)
    // ChaCha20-Poly1305: a changed page is found out, not decrypted to something else.
    database.pragma(`cipher = 'chacha20'`)
    // The key as it is: it has all its bits, so nothing is gained from deriving it, and each thread would pay for that.
    database.pragma(`key = "raw:${hex}"`)
    return database
  }
  return { encrypted: true, open }
}

async function loadCiphers(): Promise<typeof BetterSqlite> {
  try {
    return (await import('better-sqlite3-multiple-ciphers')).default
  } catch (error) {
    throw new MemoryError(
      'store/unsupported',
      `Cannot open an encrypted file: the package ${PACKAGE} cannot be loaded, install it with: npm install ${PACKAGE}`,
      { package: PACKAGE },
      error,
    )
  }
}
