import type { JobKind } from '../jobs/job-kind.ts'
import type { ForgettingWiring } from './wiring.ts'

const QUEUE_MAX = 100
/** A reader in another process may stay for hours. */
const ATTEMPTS_MAX = 20

/** Finishes forgetting that a process had begun when it ended, or that a reader kept from being finished. */
export function forgetKind(parts: () => ForgettingWiring): JobKind {
  return {
    name: 'forget',
    queueMax: QUEUE_MAX,
    attemptsMax: ATTEMPTS_MAX,
    async *find(_among, signal) {
      const { store, forgetting, reseal } = parts()
      for (const { id, scope, stage, at } of await store.erasure.unfinished()) {
        // Waits for somebody who has the master key.
        if (stage === 'keys' && reseal === undefined) continue
        if (!forgetting.has(id) && !signal.aborted) yield { scope, subject: id, mark: at }
      }
    },
    run: async (job) => {
      const row = (await parts().store.erasure.unfinished()).find(({ id }) => id === job.subject)
      if (row !== undefined) await (await import('./carry-out.ts')).resumeForgetting(parts(), row)
      return null
    },
  }
}
