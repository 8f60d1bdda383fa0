import type { Message } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Address } from './log.ts'
import { isForgotten } from './forgotten.ts'
import { messageFromRow } from './message-from-row.ts'
import { amendmentsOf, openView } from './view.ts'
import { withPieces } from './with-pieces.ts'

/** One message by its id, as it is now or was then; `undefined` if this session has none with this id. */
export async function get(store: LogStore, address: Address, id: string, asOf?: Moment): Promise<Message | undefined> {
  const view = await openView(store, address, asOf)
  for (const segment of view?.segments.toReversed() ?? []) {
    const row = await store.message(segment, id)
    // An ancestor may have gone on after the fork: what came later is not part of this session.
    if (row === undefined || isForgotten(row) || row.seq < segment.from || row.seq > segment.through) continue
    const message = messageFromRow(row, await amendmentsOf(store, view?.segments ?? [], row.seq, row.seq))
    return view === undefined ? message : withPieces(store, view, message)
  }
  return undefined
}
