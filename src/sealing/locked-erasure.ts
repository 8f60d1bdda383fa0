import { isSealed } from '../domain/sealed.ts'
import type { ErasureStore } from '../ports/erasure-store.ts'
import { contentKeyNeeded } from './missing-key.ts'

/** Forgetting without the master key: of a session that is encrypted it would leave the data key, which old backups can be read with. */
export function lockedErasure(erasure: ErasureStore): ErasureStore {
  return {
    ...erasure,
    family: async (scope, session) => {
      const family = await erasure.family(scope, session)
      for (const { name, description } of family) if (isSealed(description)) throw contentKeyNeeded(name)
      return family
    },
  }
}
