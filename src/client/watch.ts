import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import { checkCall } from '../surface/check-call.ts'
import { messageOperations } from '../surface/messages.ts'
import type { WatchOptions } from '../api/messages.ts'
import { type Problem, errorOf } from '../wire/problem.ts'
import { chunksOf } from './chunks-of.ts'
import type { InTurn } from './in-turn.ts'
import type { Transport } from './transport.ts'

/** Follows a session over server-sent events; a lost connection goes on after the last message that came. */
export function watchRemote(
  transport: Transport,
  turns: InTurn,
  place: { readonly scope: string; readonly session: string },
  options: WatchOptions,
): AsyncIterableIterator<Message, undefined> {
  transport.checkOpen()
  checkCall(messageOperations.watch, options)
  const { after, signal } = options
  const ended = new AbortController()
  const stop = AbortSignal.any([ended.signal, transport.closing, ...(signal === undefined ? [] : [signal])])
  let seen = after
  const connect = (): Promise<Response> =>
    transport.send(messageOperations.watch, {
      names: place,
      query: defined({ after: seen }),
      ...(seen === undefined ? {} : { headers: { 'last-event-id': String(seen) } }),
      signal: stop,
    })
  // In turn with appends: one that is asked for after this watch is seen by it.
  const first = stop.aborted ? undefined : turns.run(JSON.stringify([place.scope, place.session]), connect)
  first?.catch(() => undefined) // told by the first `next`

  async function* follow(): AsyncGenerator<Message, undefined> {
    let opening = first
    while (!stop.aborted && opening !== undefined) {
      try {
        const response = await opening
        for await (const { event, data } of events(response)) {
          if (event === 'start') seen ??= (JSON.parse(data) as { after: number }).after
          if (event === 'problem') throw errorOf(JSON.parse(data) as Problem)
          if (event !== 'message') continue
          const message = JSON.parse(data) as Message
          if (seen !== undefined && message.seq <= seen) continue
          seen = message.seq
          yield message
        }
      } catch (error) {
        if (stop.aborted) return undefined
        if (MemoryError.is(error)) throw error // the server's word, or tried often enough
      }
      if (stop.aborted) return undefined
      opening = connect()
    }
    return undefined
  }
  const messages = follow()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => messages.next(),
    async return() {
      ended.abort()
      await messages.return(undefined)
      return { done: true, value: undefined }
    },
  }
}

/** Each event of a stream; comments keep it alive and say nothing. */
async function* events(response: Response): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of chunksOf(response.body)) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
      const data = fields.get('data')
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data }
    }
  }
}
