import type { Moment } from '../domain/moment.ts'
import type { AmendmentRow, LogStore } from '../ports/log-store.ts'
import type { Address } from './log.ts'
import { type View, allAmendments, openView } from './view.ts'

/** How many messages are live. Costs the number of amendments and system messages, never the length of the history. */
export async function count(store: LogStore, address: Address, asOf?: Moment): Promise<number> {
  const view = await openView(store, address, asOf)
  if (view === undefined) return 0
  // What was forgotten is gone from every earlier moment too.
  const now = asOf === undefined ? [] : await allAmendments(store, view.session.lineage)
  return liveCount(
    store,
    view,
    now.filter(({ kind }) => kind === 'forget'),
  )
}

async function liveCount(store: LogStore, view: View, forgotten: readonly AmendmentRow[]): Promise<number> {
  const amendments = [...(await allAmendments(store, view.segments)), ...forgotten]
  const clearedThrough = Math.min(view.lastSeq, lastOf(amendments, 'clear'))
  const keptThrough = Math.max(clearedThrough, Math.min(view.lastSeq, lastOf(amendments, 'clear-keeping-system')))
  const removed = new Set(amendments.filter(({ kind }) => kind === 'remove' || kind === 'forget').map(({ seq }) => seq))
  const kept = await systemSeqs(store, view, clearedThrough + 1, keptThrough)
  const after = [...removed].filter((seq) => seq > keptThrough && seq <= view.lastSeq).length
  return kept.filter((seq) => !removed.has(seq)).length + (view.lastSeq - keptThrough) - after
}

function lastOf(amendments: readonly AmendmentRow[], kind: AmendmentRow['kind']): number {
  return amendments.reduce((last, row) => (row.kind === kind ? Math.max(last, row.seq) : last), 0)
}

async function systemSeqs(store: LogStore, view: View, from: number, through: number): Promise<readonly number[]> {
  const seqs: number[] = []
  for (const segment of view.segments) {
    const range = { from: Math.max(from, segment.from), through: Math.min(through, segment.through) }
    if (range.from > range.through) continue
    const rows = await store.messages({
      scope: segment.scope,
      key: segment.key,
      ...range,
      limit: Number.MAX_SAFE_INTEGER,
      newestFirst: false,
      systemOnly: true,
    })
    seqs.push(...rows.map((row) => row.seq))
  }
  return seqs
}
