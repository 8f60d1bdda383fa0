import { MemoryError } from '../domain/error.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

/** Opens an empty store in memory. Returns nothing where the driver of SQLite is not installed. */
export async function openScratch(clock: Clock): Promise<Store | undefined> {
  try {
    const { openSqliteStore } = await import('../stores/sqlite/store.ts')
    return await openSqliteStore(':memory:', () => clock.now())
  } catch (error) {
    if (MemoryError.is(error, 'store/unsupported')) return undefined
    throw error
  }
}
