import { refuse } from '../domain/refuse.ts'
import { problemOf } from '../wire/problem.ts'
import { onlyQuery, sessionOf } from './arguments.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

/** Proxies close what is silent for a minute, and a client that is gone shows only when something is written. */
const BEAT_MS = 15_000

/**
 * Messages as server-sent events, each under its sequence number: `Last-Event-ID` is where a lost connection goes on. A key that
 * was revoked or expired since gets nothing more: the stream ends with a problem document.
 */
export async function watchEvents(call: Call): Promise<Response> {
  const { after } = onlyQuery(call, 'watch', ['after'])
  const last = call.request.headers.get('last-event-id')
  if (last !== null && !/^\d{1,15}$/.test(last)) refuse('watch', 'Last-Event-ID', last, 'the id of an event')
  const session = sessionOf(call)
  // Where it begins is decided before the first byte of the answer: what is appended after that is seen.
  const start =
    last === null
      ? (after ?? (await session.history({ before: Number.MAX_SAFE_INTEGER, limit: 1 })).at(-1)?.seq ?? 0)
      : Number(last)
  const { signal } = call
  const ended = new AbortController()
  const stop = (): void => ended.abort()
  signal.addEventListener('abort', stop, { once: true })
  const messages = session.watch({ after: start as number, signal: ended.signal })
  async function* pieces(): AsyncGenerator<string> {
    // Says where it begins: a connection that is lost before the first message goes on from there.
    yield `id: ${start as number}\nevent: start\ndata: {"after":${start as number}}\n\n`
    let next = messages.next()
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
        yield `id: ${step.value.seq}\nevent: message\ndata: ${JSON.stringify(step.value)}\n\n`
        next = messages.next()
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
