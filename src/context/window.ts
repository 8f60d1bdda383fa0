import type { Fold } from '../domain/fold.ts'
import { inherited } from '../domain/inherited.ts'
import { scan } from '../log/scan.ts'
import { type View, changesOf } from '../log/view.ts'
import type { AmendmentRow, LogStore } from '../ports/log-store.ts'
import { type StoredCompaction, activeCompaction } from './compaction.ts'
import { type Entry, positionOf } from './entry.ts'
import { rangesHave } from './ranges.ts'

/** What is live in a session at one version. */
export interface Window {
  readonly view: View
  readonly entries: readonly Entry[]
  readonly standsOn: StoredCompaction | undefined
}

/**
 * The folds and kept messages of the last compaction, then every message after it. Costs the size of the window, never of
 * the history.
 */
export async function loadWindow(store: LogStore, view: View): Promise<Window> {
  const standsOn = await activeCompaction(store, view)
  const entries: Entry[] = []
  const keep = async (from: number, through: number): Promise<void> => {
    for await (const message of scan(store, view, { from, through, newestFirst: false, withRemoved: false }))
      entries.push({ type: 'message', message })
  }
  if (standsOn !== undefined) {
    let opened = false
    const since = await changesSince(store, view, standsOn.version)
    for (const item of standsOn.compaction.entries) {
      if ('keep' in item) await keep(item.keep.from, item.keep.through)
      else if (isOutdated(item.fold, since)) {
        opened = true
        for (const { from, through } of item.fold.sources) await keep(from, through)
      } else entries.push({ type: 'fold', fold: item.fold })
    }
    // What a fold hid need not have been neighbours: each goes back to its own place.
    if (opened) entries.sort((a, b) => positionOf(a) - positionOf(b))
  }
  await keep((standsOn?.compaction.through ?? 0) + 1, view.lastSeq)
  return { view, entries, standsOn }
}

async function changesSince(store: LogStore, view: View, version: number): Promise<readonly AmendmentRow[]> {
  const changes: AmendmentRow[] = []
  for (const { key, through, throughVersion } of view.segments) {
    const found: AmendmentRow[] = []
    for await (const row of changesOf(store, key, throughVersion, version)) found.push(row)
    changes.push(...(key === view.session.key ? found : inherited(found, through)))
  }
  return changes
}

/** A fold whose messages were revised, removed or cleared since tells of things that are no longer so: they speak for themselves again. */
function isOutdated(fold: Fold, since: readonly AmendmentRow[]): boolean {
  return since.some((row) => {
    if (row.kind === 'revise' || row.kind === 'remove') return rangesHave(fold.sources, row.seq)
    return (row.kind === 'clear' || row.kind === 'clear-keeping-system') && row.seq >= (fold.sources[0]?.from ?? 0)
  })
}
