import type { Store } from '../ports/store.ts'
import { blindStore } from './blind-store.ts'
import { lockedErasure } from './locked-erasure.ts'
import { lockedLog } from './locked-log.ts'
import { lockedState } from './locked-state.ts'
import type { StoreViews } from './store-views.ts'

/** A store that is opened without a key to its content. */
export function lockStore(store: Store): StoreViews {
  return {
    store: {
      ...store,
      log: lockedLog(store.log),
      stale: { ...store.stale, log: lockedLog(store.stale.log) },
      state: lockedState(store.state),
      erasure: lockedErasure(store.erasure),
    },
    searched: blindStore(store),
    stored: store.log,
    reseal: undefined,
  }
}
