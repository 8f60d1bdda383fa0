import type { ScopeEvent, ScopeWatchOptions } from '../api/watching.ts'
import { defined } from '../domain/defined.ts'
import { checkCall } from '../surface/check-call.ts'
import { watchOperations } from '../surface/watching.ts'
import { followEvents } from './follow-events.ts'
import type { Transport } from './transport.ts'

/** Follows a scope over server-sent events; a lost connection resumes after the last event that came. */
export function watchRemoteScope(
  transport: Transport,
  scope: string,
  options: ScopeWatchOptions,
): AsyncIterableIterator<ScopeEvent, undefined> {
  transport.checkOpen()
  checkCall(watchOperations.watch, options)
  const { kinds, signal } = options
  let after = options.after
  return followEvents<ScopeEvent>(transport, {
    signal,
    connect: (stop) =>
      transport.send(watchOperations.watch, { names: { scope }, query: defined({ after, kinds }), signal: stop }),
    read: ({ event, data }) => {
      if (event === 'start') {
        after ??= (JSON.parse(data) as { after: string }).after
        return undefined
      }
      const happened = JSON.parse(data) as ScopeEvent
      after = happened.cursor
      return happened
    },
  })
}
