import type { ToolStats } from '../api/state.ts'
import type { Address } from '../log/log.ts'
import { readBody } from '../log/body.ts'
import { type View, openView } from '../log/view.ts'
import { NO_TOOL_STATS, addToolStats, countTools } from './tool-stats.ts'
import type { StateWiring } from './wiring.ts'

const ROWS_PER_PAGE = 256

/**
 * How often tools were called in a session, counted from its messages as they were appended: a revision does not change what was
 * done. The count is stored and continued, so only new messages are read. It can be deleted and counted again.
 */
export async function toolStatsOf(parts: StateWiring, address: Address, then?: View): Promise<ToolStats> {
  const { store, work } = parts
  work.checkOpen()
  const view = then ?? (await openView(store.log, address))
  if (view === undefined) return NO_TOOL_STATS
  const kept = await store.state.toolCounts(address)
  const usable = kept !== undefined && kept.log === view.session.key && kept.through <= view.lastSeq ? kept : undefined
  const before = usable === undefined ? NO_TOOL_STATS : (JSON.parse(usable.counts) as ToolStats)
  const stats = await countFrom(parts, view, (usable?.through ?? 0) + 1, before)
  if (then === undefined && view.lastSeq > (usable?.through ?? 0))
    await work.begin(
      store.state.keepToolCounts(address, {
        log: view.session.key,
        through: view.lastSeq,
        counts: JSON.stringify(stats),
      }),
    )
  return stats
}

/** The same, and what an imported document had counted before. */
export async function allToolStats(parts: StateWiring, address: Address): Promise<ToolStats> {
  const { rows } = await parts.store.state.read(address, { section: 'value', key: 'tool_stats_before' })
  const before = rows[0]?.value ?? null
  const stats = await toolStatsOf(parts, address)
  return before === null ? stats : addToolStats(JSON.parse(before) as ToolStats, stats)
}

async function countFrom({ store }: StateWiring, view: View, first: number, before: ToolStats): Promise<ToolStats> {
  let stats = before
  for (const segment of view.segments) {
    for (let from = Math.max(first, segment.from); from <= segment.through;) {
      const rows = await store.log.messages({
        scope: segment.scope,
        key: segment.key,
        from,
        through: segment.through,
        limit: ROWS_PER_PAGE,
        newestFirst: false,
        systemOnly: false,
      })
      const last = rows.at(-1)
      if (last === undefined) break
      for (const { body } of rows) if (body !== '') stats = countTools(stats, readBody(body).parts)
      from = last.seq + 1
    }
  }
  return stats
}
