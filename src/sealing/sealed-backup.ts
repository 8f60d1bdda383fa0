import { MemoryError } from '../domain/error.ts'
import type { Store } from '../ports/store.ts'
import type { KeyRing } from './key-ring.ts'
import { type Resealer, isBetweenKeys } from './resealer.ts'
import { sealedLog } from './sealed-log.ts'

const ATTEMPTS_MAX = 8

/**
 * Backups of encrypted content. A copy that were made while a session gets another key could not be read once the old one is gone, which
 * is a moment later: such a copy is made again.
 */
export function sealedBackup(store: Store, ring: KeyRing, resealer: Resealer): Store['backup'] {
  return async (file, check) => {
    const between = new MemoryError('store/busy', 'Cannot back up: a session is being encrypted with another key', {})
    for (let attempt = 1; ; attempt++) {
      const isSettled = await resealer.settle()
      try {
        return await store.backup(file, async (copy) => {
          if (isSettled && attempt < ATTEMPTS_MAX && (await isBetweenKeys(copy))) throw between
          await check({ ...copy, log: sealedLog(copy.log, ring, { missing: 'leave' }) })
        })
      } catch (error) {
        if (error !== between) throw error
      }
    }
  }
}
