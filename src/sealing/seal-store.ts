import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import { blindLog } from './blind-log.ts'
import type { KeyRing } from './key-ring.ts'
import { lockedLog } from './locked-log.ts'
import { sealedAccess } from './sealed-access.ts'
import { sealedArchive } from './sealed-archive.ts'
import { sealedErasure } from './sealed-erasure.ts'
import { sealedLog } from './sealed-log.ts'
import { lockedState, sealedState } from './sealed-state.ts'

interface Seen {
  readonly store: Store
  readonly searched: Store
  readonly stored: LogStore
}

/** A store whose content is encrypted. */
export function sealStore(store: Store, ring: KeyRing): Seen {
  const log = sealedLog(store.log, ring)
  return {
    store: {
      ...store,
      log,
      stale: { ...store.stale, log: store.stale.log === store.log ? log : sealedLog(store.stale.log, ring) },
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

/** A store that is opened without a key to its content. */
export function lockStore(store: Store): Seen {
  return {
    store: {
      ...store,
      log: lockedLog(store.log),
      stale: { ...store.stale, log: lockedLog(store.stale.log) },
      state: lockedState(store.state),
    },
    searched: blindStore(store),
    stored: store.log,
  }
}

function blindStore(store: Store): Store {
  return { ...store, log: blindLog(store.log), stale: { ...store.stale, log: blindLog(store.stale.log) } }
}
