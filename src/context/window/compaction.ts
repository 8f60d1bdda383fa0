import { MemoryError } from '../../domain/error.ts'
import type { Fold, SeqRange } from '../../domain/fold.ts'
import { isSound } from '../../log/forgotten.ts'
import type { View } from '../../log/view.ts'
import type { AmendmentRow, LogStore, Segment } from '../../ports/log-store.ts'
import { type Entry, positionOf } from './entry.ts'
import type { StepReport } from '../../api/contexts.ts'

/** What a compaction left of the window up to `through`, in order. One row of the log; the messages themselves stay. */
export interface Compaction {
  readonly policy: string
  /** Of the whole policy: its name may be another's too. */
  readonly policyDigest: string
  /** What the policy's shares were shares of, in tokens. */
  readonly budget: number
  readonly through: number
  readonly entries: readonly ({ readonly keep: SeqRange } | { readonly fold: Fold })[]
  readonly before: { readonly entries: number; readonly tokens: number }
  readonly after: { readonly entries: number; readonly tokens: number }
  readonly steps: readonly StepReport[]
  /** Whether the window came down to where it should. */
  readonly reached: boolean
}

export interface StoredCompaction {
  /** The version of the log that it made: its name for `undo`. */
  readonly version: number
  readonly compaction: Compaction
}

/** An undo takes back every compaction from this version on. */
export interface Undo {
  readonly from: number
}

/** Nearly always the newest row is the one that counts, and each may be as large as a window. */
const ROWS_IN_FIRST_PAGE = 1
const ROWS_PER_PAGE = 8

/** The compaction that the window of this view stands on: the newest that was not undone, inherited ones included. */
export async function activeCompaction(store: LogStore, view: View): Promise<StoredCompaction | undefined> {
  for await (const found of compactionsIn(store, view, 'in-effect')) return found
  return undefined
}

/** Compactions of a view, newest first, inherited ones included. Those in effect lie one upon the other. */
export async function* compactionsIn(
  store: LogStore,
  view: View,
  which: 'in-effect' | 'also-undone',
): AsyncGenerator<StoredCompaction> {
  let undoneFrom = Number.POSITIVE_INFINITY
  for (const [index, segment] of view.segments.toReversed().entries()) {
    for await (const row of windowRows(store, segment)) {
      if (row.kind === 'undo') {
        if (which === 'in-effect') undoneFrom = Math.min(undoneFrom, readAmendment<Undo>(row).from)
        continue
      }
      // An ancestor's compaction may cover messages that this fork does not share.
      const shared = index === 0 || row.seq <= segment.through
      if (shared && row.version < undoneFrom) yield { version: row.version, compaction: readAmendment<Compaction>(row) }
    }
  }
}

/** Whether the newest change of the view is an undo: whoever said it does not want the same compaction again at once. */
export async function endsWithUndo(store: LogStore, view: View): Promise<boolean> {
  const own = view.segments.at(-1)
  if (own === undefined) return false
  for await (const row of windowRows(store, own)) return row.kind === 'undo' && row.version === view.version
  return false
}

async function* windowRows(store: LogStore, { scope, key, throughVersion }: Segment): AsyncGenerator<AmendmentRow> {
  let limit = ROWS_IN_FIRST_PAGE
  for (let newest = throughVersion; ;) {
    const rows = await store.amendments({ of: 'window', scope, key, throughVersion: newest, limit })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    newest = last.version - 1
    limit = ROWS_PER_PAGE
  }
}

/** What a compaction or an undo says. */
export function readAmendment<Body>(row: AmendmentRow): Body {
  if (!isSound(row)) {
    throw new MemoryError(
      'store/corrupt',
      `Cannot read the window: the stored ${row.kind} at version ${row.version} is not what was written, run verify()`,
      { version: row.version },
    )
  }
  return JSON.parse(row.body) as Body
}

/** A window as it is stored: runs of kept messages as ranges, folds as they are. */
export function entriesToStore(entries: readonly Entry[]): Compaction['entries'] {
  const stored: ({ readonly keep: SeqRange } | { readonly fold: Fold })[] = []
  for (const entry of entries) {
    const last = stored.at(-1)
    const seq = positionOf(entry)
    if (entry.type === 'fold') stored.push({ fold: entry.fold })
    else if (last !== undefined && 'keep' in last && last.keep.through === seq - 1)
      stored[stored.length - 1] = { keep: { from: last.keep.from, through: seq } }
    else stored.push({ keep: { from: seq, through: seq } })
  }
  return stored
}
