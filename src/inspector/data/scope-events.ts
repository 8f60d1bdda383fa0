import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ScopeEvent } from '../../api/watching.ts'
import { endpoints, queryText } from './endpoints.ts'
import { connection, noticeTrouble, refused } from './request.ts'

/** `start` when the page begins to follow, and when it does so again: something may have happened before. */
export type FollowedEvent = ScopeEvent | { readonly type: 'start' }

type Listener = (event: FollowedEvent) => void

const RETRY_MS = 5_000

const KINDS = ['session', 'message', 'change', 'compaction', 'forgotten', 'fact', 'job'] as const

/** One connection for each scope that is shown, whoever listens: a browser opens few. */
const followed = new Map<string, { readonly listeners: Set<Listener>; readonly end: () => void }>()

function follow(scope: string, listener: Listener): () => void {
  const known = followed.get(scope)
  const { listeners, end } = known ?? open(scope)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    end()
    followed.delete(scope)
  }
}

function open(scope: string): { readonly listeners: Set<Listener>; readonly end: () => void } {
  const listeners = new Set<Listener>()
  let after: string | undefined
  const tell = (event: FollowedEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const again = signal(0)
  let retry: ReturnType<typeof setTimeout> | undefined
  // Closed while the server is away, and continued after the last event when it is back.
  const end = effect(() => {
    if (connection.value.lost || refused.value || again.value < 0) return undefined
    const source = new EventSource(endpoints.scope(scope, `watch${queryText({ after })}`))
    source.addEventListener('start', ({ lastEventId }) => {
      after = lastEventId
      tell({ type: 'start' })
    })
    for (const kind of KINDS)
      source.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) => {
        after = lastEventId
        tell(JSON.parse(data) as ScopeEvent)
      })
    // A browser opens a lost connection again by itself, but not one that was refused.
    source.addEventListener('error', () => {
      void noticeTrouble()
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(() => (again.value += 1), RETRY_MS)
    })
    return () => source.close()
  })
  const opened = {
    listeners,
    end: () => {
      clearTimeout(retry)
      end()
    },
  }
  followed.set(scope, opened)
  return opened
}

/** Calls back for each event of a scope while a component is shown. */
export function useScopeEvents(scope: string | null, listener: Listener): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => (scope === null ? undefined : follow(scope, (event) => latest.current(event))), [scope])
}
