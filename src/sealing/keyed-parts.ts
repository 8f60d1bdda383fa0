import type { Store } from '../ports/store.ts'
import type { KeyRing } from './key-ring.ts'
import { Resealer } from './resealer.ts'
import type { StoreViews } from './store-views.ts'
import { wrapAccess } from './wrap-access.ts'
import { wrapArchive } from './wrap-archive.ts'
import { wrapBackup } from './wrap-backup.ts'
import type { ErasureKeys } from './wrap-erasure.ts'

interface KeyedParts extends ErasureKeys, Pick<StoreViews, 'reseal'> {
  readonly parts: Pick<Store<'opened'>, 'access' | 'archive' | 'backup' | 'close'>
}

/** What a store needs only where there are keys: loaded for those who have them. */
export function keyedParts(store: Store<'stored'>, ring: KeyRing): KeyedParts {
  const resealer = new Resealer(store, ring)
  return {
    log: store.log,
    ring,
    resealer,
    reseal: (scope) => resealer.reseal(scope),
    parts: {
      access: wrapAccess(store.access, ring),
      archive: wrapArchive(store, ring, resealer),
      backup: wrapBackup(store, ring, resealer),
      close: async () => {
        await store.close()
        await ring.close()
      },
    },
  }
}
