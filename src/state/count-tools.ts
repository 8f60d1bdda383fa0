import type { ToolStats } from '../api/state.ts'
import type { Address } from '../log/log.ts'
import { readBody } from '../log/body.ts'
import { type View, amendmentsOf, openView } from '../log/view.ts'
import type { Part } from '../domain/part.ts'
import type { LogStore } from '../ports/log-store.ts'
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
  const { stats, final, through } = await countFrom(parts, view, (usable?.through ?? 0) + 1, before)
  if (then === undefined && through > (usable?.through ?? 0))
    await work.begin(
      store.state.keepToolCounts(address, {
        log: view.session.key,
        through,
        counts: JSON.stringify(final),
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

/** A message may still be streamed while as many others come after it. */
const STREAMED_AMONG_LAST = 64

interface Counted {
  readonly stats: ToolStats
  /** The count up to the last message before one that is being streamed. */
  readonly final: ToolStats
  readonly through: number
}

async function countFrom({ store }: StateWiring, view: View, first: number, before: ToolStats): Promise<Counted> {
  let stats = before
  let final = before
  let through = view.lastSeq
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
      for (const { seq, body } of rows) {
        if (body === '') continue
        const { parts, incomplete } = readBody(body)
        // What a streamed message calls is in the revision that completed it.
        const said = incomplete === 'streaming' ? await completed(store.log, view, seq) : parts
        if (said === undefined && seq > view.lastSeq - STREAMED_AMONG_LAST) through = Math.min(through, seq - 1)
        stats = countTools(stats, said ?? parts)
        if (seq <= through) final = stats
      }
      from = last.seq + 1
    }
  }
  return { stats, final, through }
}

async function completed(log: LogStore, view: View, seq: number): Promise<readonly Part[] | undefined> {
  const amendments = await amendmentsOf(log, view.segments, seq, seq)
  const revision = amendments.find((row) => row.kind === 'revise' && row.seq === seq && row.body !== '')
  return revision === undefined ? undefined : readBody(revision.body).parts
}
