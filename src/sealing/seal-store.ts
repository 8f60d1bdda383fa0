import type { Store } from '../ports/store.ts'
import { blindStore } from './blind-store.ts'
import type { KeyRing } from './key-ring.ts'
import { Resealer } from './resealer.ts'
import { sealedAccess } from './sealed-access.ts'
import { sealedBackup } from './sealed-backup.ts'
import { sealedArchive } from './sealed-archive.ts'
import { sealedErasure } from './sealed-erasure.ts'
import { sealedLog } from './sealed-log.ts'
import { sealedState } from './sealed-state.ts'
import type { StoreViews } from './store-views.ts'

/** A store whose content is encrypted. */
export function sealStore(store: Store, ring: KeyRing): StoreViews {
  const log = sealedLog(store.log, ring)
  const resealer = new Resealer(store, ring)
  return {
    store: {
      ...store,
      log,
      stale: {
        ...store.stale,
        log: store.stale.log === store.log ? log : sealedLog(store.stale.log, ring, { primary: store.log }),
      },
      access: sealedAccess(store.access, ring),
      state: sealedState(store.state, ring),
      archive: sealedArchive(store, ring, resealer),
      erasure: sealedErasure(store.erasure, store.log, ring, resealer),
      backup: (file, check) => sealedBackup(store, ring, resealer)(file, check),
      close: async () => {
        await store.close()
        await ring.close()
      },
    },
    searched: blindStore(store),
    stored: sealedLog(store.log, ring, { missing: 'leave' }),
    reseal: (scope) => resealer.reseal(scope),
  }
}
