import type { Backup } from '../api/archive.ts'
import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import { driverFor } from '../stores/sqlite/driver.ts'
import { restoreFile } from '../stores/sqlite/restore.ts'
import { openSqliteStore } from '../stores/sqlite/store.ts'
import { checkFlag } from './check-arguments.ts'
import { checkStore, checkedFile } from './backup.ts'
import { type EncryptionOptions, keysFrom } from './encryption.ts'

export interface RestoreOptions {
  /** Restore where a memory is already. It is kept beside, under the name that is answered. @default false */
  readonly force?: boolean
  /** The key of an encrypted backup. @default none */
  readonly encryption?: Pick<EncryptionOptions, 'file'>
}

export interface Restored extends Omit<Backup, 'bytes'> {
  /** Where the memory is that was there before; null if there was none. */
  readonly former: string | null
}

/**
 * Puts a copy of a backup where a memory should be. Everything in it is checked first; the backup is not touched, and nothing
 * is overwritten.
 *
 * @throws {MemoryError} `store/exists` without `force`; `store/busy` if either file is in use; `store/corrupt` for a bad backup.
 */
export async function restore(backup: string, file: string, options: RestoreOptions = {}): Promise<Restored> {
  checkOptions('restore', options, ['force', 'encryption'])
  if (options.force !== undefined) checkFlag('restore', 'force', options.force)
  const from = checkedFile('restore', 'backup', backup)
  const to = checkedFile('restore', 'file', file)
  const { file: key } = await keysFrom('restore', options.encryption, ['file'])
  let held = { sessions: 0, messages: 0 }
  const { former } = await restoreFile(from, to, {
    force: options.force ?? false,
    stamp: new Date().toISOString().replaceAll(/[:.]/g, '-'),
    driver: await driverFor(key),
    check: async (copy) => {
      const store = await openSqliteStore(copy, Date.now, key).catch((error: unknown) => {
        // What was opened is a copy that nobody knows of.
        if (!MemoryError.is(error)) throw error
        const { code, message, details } = error
        throw new MemoryError(code, message.replaceAll(copy, from), { ...details, file: from }, error)
      })
      try {
        held = await checkStore(`restore from ${JSON.stringify(from)}`, store)
      } finally {
        await store.close()
      }
    },
  })
  return { file: to, former, ...held }
}
