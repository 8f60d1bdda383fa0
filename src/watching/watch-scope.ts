import type { ScopeEvent, ScopeWatchOptions } from '../api/watching.ts'
import { untilEnded } from '../log/until-ended.ts'
import { checkCall } from '../surface/check-call.ts'
import { watchOperations } from '../surface/watching.ts'
import type { WatchedScope, followScope as FollowScope } from './follow-scope.ts'
import type { Progress } from './progress.ts'

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
  // Begun at once, so that everything after this call is seen; loaded now, since few programs watch.
  const begun = begin(watched, scope, after)
  begun.catch(() => undefined) // reported by the first `next`, not as an unhandled rejection
  return untilEnded({
    items: async function* items(bell) {
      const { followScope, progress } = await begun
      return yield* followScope(watched, scope, { progress, bell, wants: (kind) => kinds?.includes(kind) ?? true })
    },
    subscribe: (ring) => watched.log.store.subscribe(scope, undefined, ring),
    signal,
  })
}

interface Begun {
  readonly followScope: typeof FollowScope
  readonly progress: Progress
}

async function begin(watched: WatchedScope, scope: string, after: string | undefined): Promise<Begun> {
  const [{ followScope, progressNow }, { readProgress }] = await Promise.all([
    import('./follow-scope.ts'),
    import('./progress.ts'),
  ])
  return { followScope, progress: after === undefined ? await progressNow(watched, scope) : readProgress(scope, after) }
}
