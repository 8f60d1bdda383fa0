import type { Fold, SeqRange } from '../../domain/fold.ts'
import { inheritedAmendments } from '../../domain/inherited-amendments.ts'
import type { Message } from '../../domain/message.ts'
import { scan } from '../../log/scan.ts'
import { type View, changesOf } from '../../log/view.ts'
import type { AmendmentRow, LogStore } from '../../ports/log-store.ts'
import { type StoredCompaction, activeCompaction } from './compaction.ts'
import type { WindowOf } from './call-kind.ts'
import { type Entry, positionOf } from './entry.ts'
import type { Pins } from '../../api/contexts.ts'
import { hidesPinned } from './pins.ts'
import { joinRanges, rangesHave } from './ranges.ts'

/** What is live in a session at one version. */
export interface Window {
  readonly view: View
  readonly entries: readonly Entry[]
  readonly standsOn: StoredCompaction | undefined
  /** Whose window it is. */
  readonly of: WindowOf
  /** Messages were revised, removed, cleared or forgotten since that compaction. */
  readonly amended: boolean
}

/** Reading over a few hidden messages is cheaper than asking the store again. */
const GAP_MAX = 8

/**
 * The folds and kept messages of the last compaction, then every message after it. Costs the size of the window, never of
 * the history.
 *
 * @param pins What must be seen: a fold that hides some of it is opened.
 * @param of Whose window: without one, the session's own, which everybody sees.
 */
export async function loadWindow(
  store: LogStore,
  view: View,
  { pins = {}, of = 'session' }: { readonly pins?: Pins; readonly of?: WindowOf } = {},
): Promise<Window> {
  const standsOn = await activeCompaction(store, view, of)
  let amended = false
  const folds: Entry[] = []
  const shown: SeqRange[] = [{ from: (standsOn?.compaction.through ?? 0) + 1, through: view.lastSeq }]
  if (standsOn !== undefined) {
    const since = await changesSince(store, view, standsOn.version)
    amended = since.length > 0
    const wanted = await placesOf(store, view, pins.messages ?? [])
    const isWanted = (fold: Fold): boolean =>
      hidesPinned(fold, pins) || wanted.some((seq) => rangesHave(fold.sources, seq))
    for (const item of standsOn.compaction.entries) {
      if ('keep' in item) shown.push(item.keep)
      else if (isOutdated(item.fold, since) || isWanted(item.fold)) shown.push(...item.fold.sources)
      else folds.push({ type: 'fold', fold: item.fold })
    }
  }
  const messages: Entry[] = []
  for (const run of runsOf(joinRanges(shown.filter(({ from, through }) => from <= through))))
    for await (const message of messagesIn(store, view, run)) messages.push({ type: 'message', message })
  // What a fold hides need not have been neighbours, so order is by place and not by when it was folded or opened.
  const entries =
    folds.length === 0 ? messages : [...folds, ...messages].toSorted((a, b) => positionOf(a) - positionOf(b))
  return { view, entries, standsOn, of, amended }
}

/** The folds of a session's own compaction that still stand for what they hide; none while it stands on an inherited one. */
export async function liveFolds(store: LogStore, view: View): Promise<readonly Fold[]> {
  const standsOn = await activeCompaction(store, view, 'session')
  if (standsOn === undefined || standsOn.version <= (view.session.parent?.throughVersion ?? 0)) return []
  const since = await changesSince(store, view, standsOn.version)
  return standsOn.compaction.entries.flatMap((item) =>
    'fold' in item && !isOutdated(item.fold, since) ? [item.fold] : [],
  )
}

async function placesOf(store: LogStore, { segments }: View, ids: readonly string[]): Promise<readonly number[]> {
  const places: number[] = []
  for (const id of ids) {
    for (const segment of segments) {
      const row = await store.message(segment, id)
      if (row !== undefined && segment.from <= row.seq && row.seq <= segment.through) places.push(row.seq)
    }
  }
  return places
}

/** Ranges that are read together. */
function runsOf(ranges: readonly SeqRange[]): readonly (readonly SeqRange[])[] {
  const runs: SeqRange[][] = []
  for (const range of ranges) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && range.from - last.through <= GAP_MAX) run.push(range)
    else runs.push([range])
  }
  return runs
}

async function* messagesIn(store: LogStore, view: View, run: readonly SeqRange[]): AsyncGenerator<Message> {
  const [from, through] = [run[0]?.from ?? 1, run.at(-1)?.through ?? 0]
  let at = 0
  for await (const message of scan(store, view, { from, through, newestFirst: false, withRemoved: false })) {
    while ((run[at]?.through ?? Number.POSITIVE_INFINITY) < message.seq) at++
    if ((run[at]?.from ?? Number.POSITIVE_INFINITY) <= message.seq) yield message
  }
}

/** What happened to messages after a version. */
export async function changesSince(store: LogStore, view: View, version: number): Promise<readonly AmendmentRow[]> {
  const changes: AmendmentRow[] = []
  for (const segment of view.segments) {
    const { key, through, throughVersion } = segment
    const found: AmendmentRow[] = []
    for await (const row of changesOf(store, segment, throughVersion, version))
      if (row.kind !== 'compact' && row.kind !== 'undo') found.push(row)
    changes.push(...(key === view.session.key ? found : inheritedAmendments(found, through)))
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
