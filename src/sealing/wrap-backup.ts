import { MemoryError } from '../domain/error.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import type { KeyRing } from './key-ring.ts'
import { type Resealer, isBetweenKeys } from './resealer.ts'
import { wrapLog } from './wrap-log.ts'

const ATTEMPTS_MAX = 8

/**
 * Backups of encrypted content. A copy that was made while a session gets another key cannot be read a moment later, when the old key
 * is destroyed: such a copy is made again.
 */
export function wrapBackup(store: Store<'stored'>, ring: KeyRing, resealer: Resealer): Store<'opened'>['backup'] {
  return async (file, check) => {
    const between = new MemoryError('store/busy', 'Cannot back up: a session is being encrypted with another key', {})
    for (let attempt = 1; ; attempt++) {
      const isSettled = await resealer.settle()
      try {
        return await store.backup(file, async (copy) => {
          if (isSettled && attempt < ATTEMPTS_MAX && (await isBetweenKeys(copy))) throw between
          // The copy of a store that nothing wraps has nothing around it either.
          await check({ ...copy, log: wrapLog(copy.log as LogStore<'stored'>, ring, 'verifiable') })
        })
      } catch (error) {
        if (error !== between) throw error
      }
    }
  }
}
