import type { Store } from '../ports/store.ts'
import type { KeyRing } from './key-ring.ts'
import type { StoreViews } from './store-views.ts'
import { wrapContexts } from './wrap-contexts.ts'
import { wrapErasure } from './wrap-erasure.ts'
import { wrapLog } from './wrap-log.ts'
import { wrapState } from './wrap-state.ts'

/** The views of a store that may have encrypted content, with the key ring or without one. */
export async function wrapStore(store: Store<'stored'>, ring: KeyRing | undefined): Promise<StoreViews> {
  const { log, stale, state, keptContexts, erasure } = store
  const opened = wrapLog(log, ring, 'opened')
  const keyed = ring === undefined ? undefined : (await import('./keyed-parts.ts')).keyedParts(store, ring)
  return {
    store: {
      ...store,
      log: opened,
      stale: { ...stale, log: stale.log === log ? opened : wrapLog(stale.log, ring, 'opened', log) },
      state: wrapState(state, ring),
      keptContexts: wrapContexts(keptContexts, ring),
      erasure: wrapErasure(erasure, keyed),
      ...keyed?.parts,
    },
    searched: {
      ...store,
      log: wrapLog(log, undefined, 'searchable'),
      stale: { ...stale, log: wrapLog(stale.log, undefined, 'searchable') },
    },
    stored: wrapLog(log, ring, 'verifiable'),
    reseal: keyed?.reseal,
  }
}
