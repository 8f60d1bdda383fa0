import { checkOptions } from '../domain/check-options.ts'
import type { KeySource } from '../domain/key-source.ts'
import { refuse } from '../domain/refuse.ts'
import { readKey } from '../providers/read-key.ts'

/** What is encrypted on the disk, and with which keys. See `docs/encryption.md` for what each protects and costs. */
export interface EncryptionOptions {
  /**
   * Encrypts the whole SQLite file, its write-ahead log and its backups. Everything works as before. Takes the package
   * `better-sqlite3-multiple-ciphers`. The key is that of the file from its beginning on.
   *
   * @default none
   */
  readonly file?: KeySource
}

/** The keys, read from where they are kept. */
export interface Keys {
  readonly file?: Uint8Array
}

/** Accepts the option `encryption`, and reads its keys. */
export async function keysFrom(attempt: string, options: EncryptionOptions | undefined, isFile: boolean): Promise<Keys> {
  if (options === undefined) return {}
  checkOptions(attempt, options, ['file'])
  if (options.file === undefined) return {}
  if (!isFile) refuse(attempt, 'encryption.file', 'a key', 'none: only a file is encrypted as a whole')
  return { file: await readKey('encryption.file', options.file) }
}
