import type { HistoryOptions } from '../api/messages.ts'
import type { Message } from '../domain/message.ts'
import { queryOf, sessionOf } from './arguments.ts'
import { inPieces } from './json-pieces.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

const MESSAGES_PER_PAGE = 200
/** Of messages that are long, a page has fewer. */
const CHARACTERS_PER_PAGE = 1_000_000
const MESSAGES_IN_FIRST_PAGE = 10

/** The history, one message per line. A page is read when the one before has been taken, if the key is still valid. */
export async function exportLines(call: Call): Promise<Response> {
  const options = queryOf<HistoryOptions>(call)
  const session = sessionOf(call)
  const { signal } = call
  const read = (after: number, limit: number): Promise<readonly Message[]> =>
    session.history({ ...options, after, limit })
  const most = options.limit ?? Number.POSITIVE_INFINITY
  // Read before answering, so that a bad option is an error and not a stream that breaks.
  if (options.limit !== undefined) await session.history({ ...options, limit: options.limit < 1 ? options.limit : 1 })
  const first = await read(options.after ?? 0, Math.min(most, MESSAGES_IN_FIRST_PAGE))
  async function* pieces(): AsyncGenerator<string> {
    let sent = 0
    for (let page = first; page.length > 0 && !signal.aborted;) {
      let characters = 0
      for await (const piece of inPieces(linesOf(page))) {
        characters += piece.length
        await call.checkKey()
        yield piece
      }
      sent += page.length
      if (sent >= most) return
      const size = Math.floor((CHARACTERS_PER_PAGE * page.length) / (characters + 1))
      page = await read(page.at(-1)?.seq ?? 0, Math.min(most - sent, Math.max(1, Math.min(MESSAGES_PER_PAGE, size))))
    }
  }
  return new Response(
    streamOf(pieces(), () => undefined),
    { headers: { 'content-type': 'application/x-ndjson' } },
  )
}

function* linesOf(messages: readonly Message[]): Generator<string> {
  for (const message of messages) yield `${JSON.stringify(message)}\n`
}
