import type { HistoryOptions } from '../api/messages.ts'
import type { Message } from '../domain/message.ts'
import { queryOf, sessionOf } from './arguments.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

const MESSAGES_PER_PAGE = 200

/** The history, one message a line. A page is read when the one before has been taken. */
export async function exportLines(call: Call): Promise<Response> {
  const options = queryOf<HistoryOptions>(call)
  const session = sessionOf(call)
  const { signal } = call
  const read = (after: number, limit: number): Promise<readonly Message[]> =>
    session.history({ ...options, after, limit })
  const most = options.limit ?? Number.POSITIVE_INFINITY
  // Read before answering, so that a bad option is an error and not a stream that breaks.
  if (options.limit !== undefined) await session.history({ ...options, limit: options.limit < 1 ? options.limit : 1 })
  const first = await read(options.after ?? 0, Math.min(most, MESSAGES_PER_PAGE))
  async function* pieces(): AsyncGenerator<string> {
    let sent = 0
    for (let page = first; page.length > 0 && !signal.aborted;) {
      yield page.map((message) => `${JSON.stringify(message)}\n`).join('')
      sent += page.length
      if (sent >= most) return
      page = await read(page.at(-1)?.seq ?? 0, Math.min(most - sent, MESSAGES_PER_PAGE))
    }
  }
  return new Response(
    streamOf(pieces(), () => undefined),
    { headers: { 'content-type': 'application/x-ndjson' } },
  )
}
