import { setTimeout } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { isBusy } from '../stores/sqlite/errors.ts'
import { loadSqlite } from '../stores/sqlite/load-sqlite.ts'

const PAUSE_MS = 5

/**
 * Does work while nobody else does, in this process or another. The lock is the one of an empty SQLite file: the system lets
 * go of it when a process dies, however it dies, so there are no stale locks to guess about. Nothing else may open that file:
 * closing it by other means would end the lock.
 *
 * @throws {MemoryError} `store/busy` if others hold it for longer than that.
 */
export async function withLock<Result>(file: string, timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
  const openFile = await loadSqlite('better-sqlite3')
  const database = openFile(file, { timeout: 0 })
  try {
    for (let waited = 0; !tryLock(database); waited += PAUSE_MS) {
      if (waited >= timeoutMs)
        throw new MemoryError(
          'store/busy',
          `Cannot lock ${quote(file)}: another process has held the lock for ${timeoutMs} ms. Try again later`,
          { file, timeoutMs },
        )
      await setTimeout(PAUSE_MS)
    }
    return await work()
  } finally {
    database.close()
  }
}

function tryLock(database: Database): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}
