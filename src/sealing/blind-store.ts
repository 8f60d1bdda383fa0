import type { GatheredReads, Store } from '../ports/store.ts'
import { blindLog } from './blind-log.ts'

export function blindStore(store: Store): Store {
  return { ...store, ...blind(store), gathered: () => blind(store.gathered()) }
}

function blind({ log, knowledge, recall, stale }: GatheredReads): GatheredReads {
  return { log: blindLog(log), knowledge, recall, stale: { ...stale, log: blindLog(stale.log) } }
}
