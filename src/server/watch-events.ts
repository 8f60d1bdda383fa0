import type { WatchOptions } from '../api/messages.ts'
import type { ScopeWatchOptions } from '../api/watching.ts'
import { refuse } from '../domain/refuse.ts'
import { LocalMemory } from '../memory/memory.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { messageOperations } from '../surface/messages.ts'
import { watchOperations } from '../surface/watching.ts'
import { watchCursorNow } from '../watching/follow-scope.ts'
import { readProgress } from '../watching/progress.ts'
import { problemOf } from '../wire/problem.ts'
import { sessionOf } from './arguments.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

/** Proxies close what is silent for a minute, and a client that is gone shows only when something is written. */
const BEAT_MS = 15_000

/** The messages of a session as server-sent events, each under its sequence number: `Last-Event-ID` is where a lost connection resumes. */
export async function watchSessionEvents(call: Call): Promise<Response> {
  const { given } = argumentsFrom(messageOperations.watch, call.query, call.names)
  const { after, ...options } = given[0] as WatchOptions
  const last = lastEventId(call)
  if (last !== null && !/^\d{1,15}$/.test(last)) refuse('watch', 'Last-Event-ID', last, 'the id of an event')
  const session = sessionOf(call)
  // Where it begins is decided before the first byte of the response: what is appended after that is seen.
  const start =
    last === null
      ? (after ?? (await session.history({ before: Number.MAX_SAFE_INTEGER, limit: 1 })).at(-1)?.seq ?? 0)
      : Number(last)
  return sendEvents(call, {
    start,
    open: (signal) => session.watch({ ...options, after: start, signal }),
    label: ({ seq }) => ({ id: seq, event: 'message' }),
  })
}

/** What happens in a scope as server-sent events, each under its cursor. */
export async function watchScopeEvents(call: Call): Promise<Response> {
  const { scope, memory } = call
  const { given } = argumentsFrom(watchOperations.watch, call.query, call.names)
  const { after, ...options } = given[0] as ScopeWatchOptions
  const start = lastEventId(call) ?? after ?? (await watchCursorNow(LocalMemory.partsOf(memory), scope.name))
  // A wrong cursor is an error before the response begins.
  readProgress(scope.name, start)
  return sendEvents(call, {
    start,
    open: (signal) => scope.watch({ ...options, after: start, signal }),
    label: ({ type, cursor }) => ({ id: cursor, event: type }),
  })
}

function lastEventId({ request }: Call): string | null {
  return request.headers.get('last-event-id')
}

interface Watch<Item> {
  /** The id of the event that it continues after. */
  readonly start: string | number
  readonly open: (signal: AbortSignal) => AsyncIterator<Item, undefined>
  readonly label: (item: Item) => { readonly id: string | number; readonly event: string }
}

/** A key that was revoked or expired since gets nothing more: the stream ends with a problem document. */
function sendEvents<Item>(call: Call, { start, open, label }: Watch<Item>): Response {
  const { signal } = call
  const ended = new AbortController()
  const stop = (): void => ended.abort()
  signal.addEventListener('abort', stop, { once: true })
  const items = open(ended.signal)
  async function* pieces(): AsyncGenerator<string> {
    // Says where it begins: a connection that is lost before the first event resumes there.
    yield `id: ${start}\nevent: start\ndata: ${JSON.stringify({ after: start })}\n\n`
    let next = items.next()
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const beat = new Promise<'beat'>((resolve) => {
        timer = setTimeout(resolve, BEAT_MS, 'beat')
      })
      const step = await Promise.race([next, beat])
      clearTimeout(timer)
      if (step !== 'beat' && step.done === true) return
      const refused = await call.checkKey().catch((error: unknown) => problemOf(error))
      if (refused !== undefined) {
        yield `event: problem\ndata: ${JSON.stringify(refused)}\n\n`
        return
      }
      if (step === 'beat') yield ': beat\n\n'
      else {
        const { id, event } = label(step.value)
        yield `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(step.value)}\n\n`
        next = items.next()
      }
    }
  }
  return new Response(
    streamOf(pieces(), () => {
      stop()
      signal.removeEventListener('abort', stop)
    }),
    { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } },
  )
}
