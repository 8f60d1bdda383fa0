import type { Store } from '../ports/store.ts'
import { blindStore } from './blind-store.ts'
import { lockedLog } from './locked-log.ts'
import { lockedState } from './locked-state.ts'
import type { SeenStore } from './seen-store.ts'

/** A store that is opened without a key to its content. */
export function lockStore(store: Store): SeenStore {
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
