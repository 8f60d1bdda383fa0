import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { Store } from '../../ports/store.ts'
import { migrations } from '../sql/migrations/index.ts'
import { driverFor } from './driver.ts'
import { cannotWriteBeside, fromSqlite } from './errors.ts'
import { readOwner } from './migrate.ts'
import { identityOf, isOpenHere } from './open-files.ts'
import { readableCopy } from './readable-copy.ts'
import { openSqliteStore } from './store.ts'

/**
 * Opens a memory in a file to read it; every change fails with `store/read-only`. The file itself is read where SQLite can do that.
 * On a read-only medium, and if an older version of Daybook wrote the file, a copy in the temporary folder is read.
 */
export async function openReadOnlyStore(file: string, now: () => number, key?: Uint8Array): Promise<Store<'stored'>> {
  if (identityOf(file) === undefined)
    throw new MemoryError(
      'store/cannot-open',
      `Cannot open ${quote(file)}: there is no such file, expected one to read`,
      { file },
    )
  if (await isReadable(file, key)) return openSqliteStore(file, now, { key, access: 'read' })
  const copy = await readableCopy(file).catch((error: unknown) => {
    throw fromSqlite(`copy ${quote(file)} to the temporary folder`, error)
  })
  try {
    const store = await openSqliteStore(copy.file, now, { key, access: 'read-copy' })
    return {
      ...store,
      close: async () => {
        await store.close()
        copy.remove()
      },
    }
  } catch (error) {
    copy.remove()
    throw error
  }
}

/** Whether the file can be read where it is, with the schema of this version. A file that is open here already can. */
async function isReadable(file: string, key: Uint8Array | undefined): Promise<boolean> {
  if (isOpenHere(identityOf(file))) return true
  const driver = await driverFor(key)
  let database: Database | undefined
  try {
    database = driver.open(file, { readonly: true, fileMustExist: true })
    return readOwner(database).userVersion >= migrations.length
  } catch (error) {
    // Any other failure is reported by the one who opens it.
    return !cannotWriteBeside(error)
  } finally {
    database?.close()
  }
}
