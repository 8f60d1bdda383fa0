import type { GatheredReads, Store } from '../ports/store.ts'
import { blindStore } from './blind-store.ts'
import type { KeyRing } from './key-ring.ts'
import { sealedAccess } from './sealed-access.ts'
import { sealedArchive } from './sealed-archive.ts'
import { sealedErasure } from './sealed-erasure.ts'
import { sealedLog } from './sealed-log.ts'
import { sealedState } from './sealed-state.ts'
import type { SeenStore } from './seen-store.ts'

/** A store whose content is encrypted. */
export function sealStore(store: Store, ring: KeyRing): SeenStore {
  return {
    store: {
      ...store,
      ...sealed(store, ring),
      gathered: () => sealed(store.gathered(), ring),
      access: sealedAccess(store.access, ring),
      state: sealedState(store.state, ring),
      archive: sealedArchive(store.archive, store.log, ring),
      erasure: sealedErasure(store.erasure, store.log, ring),
      backup: (file, check) =>
        store.backup(file, (copy) => check({ ...copy, log: sealedLog(copy.log, ring, 'leave') })),
      close: async () => {
        await store.close()
        await ring.close()
      },
    },
    searched: blindStore(store),
    stored: sealedLog(store.log, ring, 'leave'),
  }
}

function sealed({ log: plain, knowledge, recall, stale }: GatheredReads, ring: KeyRing): GatheredReads {
  const log = sealedLog(plain, ring)
  return {
    log,
    knowledge,
    recall,
    stale: { ...stale, log: stale.log === plain ? log : sealedLog(stale.log, ring) },
  }
}
