import { checkOptions } from '../domain/check-options.ts'
import type { KeySource } from '../domain/key-source.ts'
import { refuse } from '../domain/refuse.ts'
import { readKey } from '../providers/read-key.ts'

/** What is encrypted on the disk, and with which keys. See `docs/encryption.md` for what each protects and costs. */
export interface EncryptionOptions {
  /**
   * Encrypts the whole SQLite file, its write-ahead log and its backups. Everything works as before. Takes the package
   * `better-sqlite3-multiple-ciphers`. A file has its key from its beginning on.
   *
   * @default none
   */
  readonly file?: KeySource
  /**
   * Encrypts what is said in sessions, and their state, with a data key for each session that this master key wraps.
   * `forget({ session })` destroys the data key, so that old backups cannot be read either. What is encrypted is not found by
   * `recall` and teaches nothing.
   *
   * @default none
   */
  readonly content?: KeySource
  /** The master key before this one: what it wrapped is wrapped again, once, while the memory is opened. @default none */
  readonly former?: KeySource
  /**
   * The file that data keys are kept in. It is never part of a backup, and without it nothing that is encrypted can be read.
   *
   * @default the memory's file with `.keys` behind its name; on PostgreSQL it has to be named
   */
  readonly keys?: string
}

/** The keys, read from where they are kept. */
export interface EncryptionKeys {
  readonly file?: Uint8Array
  readonly content?: { readonly master: Uint8Array; readonly former?: Uint8Array }
}

/** Accepts the option `encryption`, and reads its keys. */
export async function keysFrom(
  attempt: string,
  options: EncryptionOptions | undefined,
  known: readonly (keyof EncryptionOptions)[],
): Promise<EncryptionKeys> {
  if (options === undefined) return {}
  // Not quoted, neither here nor below: it may be a key in the wrong place.
  if (typeof options !== 'object' || options === null)
    refuse(attempt, 'encryption', typeof options, `an object with some of ${known.join(', ')}`)
  checkOptions(attempt, options, known)
  const { file, content, former, keys } = options
  if (content === undefined)
    for (const [name, value] of [['former', former] as const, ['keys', keys] as const])
      if (value !== undefined) refuse(attempt, `encryption.${name}`, 'there', 'encryption.content beside it')
  if (keys !== undefined && (typeof keys !== 'string' || keys === '' || keys.includes('\0')))
    refuse(attempt, 'encryption.keys', typeof keys, 'the path of a file')
  return {
    ...(file === undefined ? {} : { file: await readKey('encryption.file', file) }),
    ...(content === undefined
      ? {}
      : {
          content: {
            master: await readKey('encryption.content', content),
            ...(former === undefined ? {} : { former: await readKey('encryption.former', former) }),
          },
        }),
  }
}
