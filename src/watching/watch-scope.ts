import type { ScopeEvent, ScopeEventKind, ScopeWatchOptions } from '../api/watching.ts'
import { untilEnded } from '../log/until-ended.ts'
import { checkCall } from '../surface/check-call.ts'
import { watchOperations } from '../surface/watching.ts'
import { type WatchedScope, followScope, progressNow } from './follow-scope.ts'
import { type Progress, readProgress } from './progress.ts'

/**
 * Yields what happens in a scope: messages, other changes of sessions, facts and jobs, whichever process made them. Of one session, messages
 * come in order, and before its other changes of the same look.
 */
export function watchScope(
  watched: WatchedScope,
  scope: string,
  options: ScopeWatchOptions,
): AsyncIterableIterator<ScopeEvent, undefined> {
  checkCall(watchOperations.watch, options)
  const { after, kinds, signal } = options
  // Read before anything else of this process runs, so that everything after this call is seen.
  const begun = begin(watched, scope, after)
  begun.catch(() => undefined) // reported by the first `next`, not as an unhandled rejection
  return untilEnded({
    items: async function* items(bell) {
      const wants = (kind: ScopeEventKind): boolean => kinds?.includes(kind) ?? true
      return yield* followScope(watched, scope, { progress: await begun, bell, wants })
    },
    subscribe: (ring) => watched.log.store.subscribe(scope, undefined, ring),
    signal,
  })
}

async function begin(watched: WatchedScope, scope: string, after: string | undefined): Promise<Progress> {
  return after === undefined ? progressNow(watched, scope) : readProgress(scope, after)
}
