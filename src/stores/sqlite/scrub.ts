import { setTimeout } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import { isBusy } from './errors.ts'
import { IN_MEMORY } from './open-database.ts'

/** How long a reader in another process may keep us from emptying the write-ahead log. Then it is tried again later. */
const WAIT_MS_MAX = 2_000

/**
 * Writes what was deleted over in the file and empties the write-ahead log, which has pages from before. Deleted cells are
 * zeroed in the file itself (`secure_delete`).
 */
export async function scrub(connection: Connection): Promise<boolean> {
  if (connection.file === IN_MEMORY) return true
  const deadline = performance.now() + WAIT_MS_MAX
  for (;;) {
    try {
      if (connection.emptyLog()) return true
    } catch (error) {
      connection.noticeFailure(error)
      if (!isBusy(error)) throw error
    }
    if (performance.now() > deadline) return false
    await setTimeout(20)
  }
}
