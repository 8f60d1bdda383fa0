import { defined } from '../domain/defined.ts'
import type { Message } from '../domain/message.ts'
import { checkCall } from '../surface/check-call.ts'
import { messageOperations } from '../surface/messages.ts'
import type { WatchOptions } from '../api/messages.ts'
import { followEvents } from './follow-events.ts'
import type { InTurn } from './in-turn.ts'
import type { Transport } from './transport.ts'

/** Follows a session over server-sent events; a lost connection resumes after the last message that came. */
export function watchRemote(
  transport: Transport,
  turns: InTurn,
  place: { readonly scope: string; readonly session: string },
  options: WatchOptions,
): AsyncIterableIterator<Message, undefined> {
  transport.checkOpen()
  checkCall(messageOperations.watch, options)
  let seen = options.after
  return followEvents<Message>(transport, {
    signal: options.signal,
    connect: (signal) =>
      transport.send(messageOperations.watch, {
        names: place,
        query: defined({ after: seen }),
        ...(seen === undefined ? {} : { headers: { 'last-event-id': String(seen) } }),
        signal,
      }),
    // In turn with appends: one that is asked for after this watch is seen by it.
    first: (connect) => turns.run(JSON.stringify([place.scope, place.session]), connect),
    read: ({ event, data }) => {
      if (event === 'start') seen ??= (JSON.parse(data) as { after: number }).after
      if (event !== 'message') return undefined
      const message = JSON.parse(data) as Message
      if (seen !== undefined && message.seq <= seen) return undefined
      seen = message.seq
      return message
    },
  })
}
