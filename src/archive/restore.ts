import { resolve } from 'node:path'
import type { RestoreOptions, Restored } from '../api/archive.ts'
import { checkCall } from '../surface/check-call.ts'
import { restoreCall } from '../surface/restore.ts'
import { MemoryError } from '../domain/error.ts'
import { driverFor } from '../stores/sqlite/driver.ts'
import { restoreFile } from '../stores/sqlite/restore.ts'
import { openSqliteStore } from '../stores/sqlite/store.ts'
import { checkStore } from './backup.ts'
import { keysFrom } from '../opening/encryption-keys.ts'

/**
 * Puts a copy of a backup where a memory should be. Everything in it is checked first; the backup is not touched, and nothing
 * is overwritten.
 *
 * @throws {MemoryError} `store/exists` without `force`; `store/busy` if either file is in use; `store/corrupt` for a bad backup.
 */
export async function restore(backup: string, file: string, options: RestoreOptions = {}): Promise<Restored> {
  checkCall(restoreCall, backup, file, options)
  const [from, to] = [resolve(backup), resolve(file)]
  const { file: key } = await keysFrom(options.encryption)
  let held = { sessions: 0, messages: 0 }
  const { former } = await restoreFile(from, to, {
    force: options.force ?? false,
    stamp: new Date().toISOString().replaceAll(/[:.]/g, '-'),
    driver: await driverFor(key),
    check: async (copy) => {
      const store = await openSqliteStore(copy, Date.now, { key }).catch((error: unknown) => {
        // What was opened is a copy that nobody else uses.
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
