import type { GatheredReads, Store } from '../ports/store.ts'
import { blindStore } from './blind-store.ts'
import { lockedLog } from './locked-log.ts'
import { lockedState } from './locked-state.ts'
import type { SeenStore } from './seen-store.ts'

/** A store that is opened without a key to its content. */
export function lockStore(store: Store): SeenStore {
  return {
    store: {
      ...store,
      ...locked(store),
      gathered: () => locked(store.gathered()),
      state: lockedState(store.state),
    },
    searched: blindStore(store),
    stored: store.log,
  }
}

function locked({ log, knowledge, recall, stale }: GatheredReads): GatheredReads {
  return { log: lockedLog(log), knowledge, recall, stale: { ...stale, log: lockedLog(stale.log) } }
}
