import { type Moment, parseTime } from '../domain/moment.ts'
import type { Address } from '../log/log.ts'
import { openView } from '../log/view.ts'
import type { LogStore } from '../ports/log-store.ts'

/** The time of a moment in milliseconds: for a version of the log, when its last message was stored. `undefined` for now. */
export async function timeOfMoment(
  store: LogStore,
  address: Address,
  asOf: Moment | undefined,
): Promise<number | undefined> {
  if (asOf === undefined) return undefined
  if (typeof asOf !== 'object' || !('version' in asOf)) return parseTime('build a context', 'asOf', asOf)
  const view = await openView(store, address, asOf)
  const segment = view?.segments.find(({ from, through }) => from <= view.lastSeq && view.lastSeq <= through)
  if (view === undefined || segment === undefined) return view?.session.createdAt ?? 0
  const { scope, key } = segment
  const at = { from: view.lastSeq, through: view.lastSeq, limit: 1, newestFirst: false, systemOnly: false }
  const [row] = await store.messages({ scope, key, ...at })
  return row?.recordedAt ?? view.session.createdAt
}
