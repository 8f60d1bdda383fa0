import type { Store } from '../ports/store.ts'
import { blindLog } from './blind-log.ts'

export function blindStore(store: Store): Store {
  return { ...store, log: blindLog(store.log), stale: { ...store.stale, log: blindLog(store.stale.log) } }
}
