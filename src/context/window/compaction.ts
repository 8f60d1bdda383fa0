import { MemoryError } from '../../domain/error.ts'
import type { Fold, SeqRange } from '../../domain/fold.ts'
import { isSound } from '../../log/forgotten.ts'
import type { View } from '../../log/view.ts'
import type { AmendmentRow, LogStore, Segment } from '../../ports/log-store.ts'
import type { CallKind, WindowOf } from './call-kind.ts'
import { type Entry, positionOf } from './entry.ts'
import type { StepReport } from '../../api/contexts.ts'
import { referencedMessage } from '../in-part/message-pointer.ts'

/** What a compaction left of the window up to `through`, in order. One row of the log; the messages themselves stay. */
export interface Compaction {
  readonly policy: string
  /** Of the whole policy: its name may be another's too. */
  readonly policyDigest: string
  /** What the policy's shares were shares of, in tokens. */
  readonly budget: number
  /** The kind of call whose contexts it is for; without one it is of the session, and everybody sees it. */
  readonly call?: CallKind
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
  /** When it was stored. */
  readonly at: number
  readonly compaction: Compaction
}

/** An undo takes back every compaction from this version on; with a call, only those that are for this kind of call. */
export interface Undo {
  readonly from: number
  readonly call?: string
}

/** Nearly always the newest row is the one that counts, and each may be as large as a window. */
const ROWS_IN_FIRST_PAGE = 1
const ROWS_PER_PAGE = 8

/** The compaction that a window of this view stands on: the newest that was not undone, inherited ones included. */
export async function activeCompaction(
  store: LogStore,
  view: View,
  of: WindowOf,
): Promise<StoredCompaction | undefined> {
  for await (const found of compactionsIn(store, view)) if (found.inEffect && isFor(found.compaction, of)) return found
  return undefined
}

/** Whether contexts of a kind of call, or everybody, see what a compaction folded. */
export function isFor({ call }: Pick<Compaction, 'call'>, of: WindowOf): boolean {
  if (call === undefined || of === 'session') return call === undefined
  return call.digest === of.digest && call.room >= of.room
}

/** All compactions of a view, newest first, inherited ones included. */
export async function* compactionsIn(
  store: LogStore,
  view: View,
): AsyncGenerator<StoredCompaction & { readonly inEffect: boolean }> {
  const undone = new Undone()
  for (const [index, segment] of view.segments.toReversed().entries()) {
    for await (const row of windowRows(store, segment)) {
      if (row.kind === 'undo') {
        undone.add(readAmendment<Undo>(row))
        continue
      }
      // An ancestor's compaction may cover messages that this fork does not share.
      if (index > 0 && row.seq > segment.through) continue
      const compaction = readAmendment<Compaction>(row)
      yield { version: row.version, at: row.recordedAt, compaction, inEffect: !undone.has(row.version, compaction) }
    }
  }
}

/** What the undoings that were read so far take back. */
class Undone {
  #all = Number.POSITIVE_INFINITY
  readonly #ofCall = new Map<string, number>()

  add({ from, call }: Undo): void {
    if (call === undefined) this.#all = Math.min(this.#all, from)
    else this.#ofCall.set(call, Math.min(from, this.#ofCall.get(call) ?? from))
  }

  has(version: number, { call }: Compaction): boolean {
    const from = call === undefined ? undefined : this.#ofCall.get(call.digest)
    return version >= this.#all || (from !== undefined && version >= from)
  }
}

/** The newest undoing that concerns this window, if no compaction for it came after. */
export async function lastUndo(store: LogStore, view: View, of: WindowOf): Promise<AmendmentRow | undefined> {
  const own = view.segments.at(-1)
  if (own === undefined) return undefined
  for await (const row of windowRows(store, own)) {
    if (row.kind === 'undo') {
      const { call } = readAmendment<Undo>(row)
      if (call === undefined || (of !== 'session' && call === of.digest)) return row
    } else if (isFor(readAmendment<Compaction>(row), of)) return undefined
  }
  return undefined
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
      `Cannot read the window: the stored ${row.kind} at version ${row.version} has changed since it was written, run verify()`,
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
    // What is only shown in part for this budget is in the window as it was said.
    if (entry.type === 'fold' && referencedMessage(entry.fold.id) === undefined) stored.push({ fold: entry.fold })
    else if (last !== undefined && 'keep' in last && last.keep.through === seq - 1)
      stored[stored.length - 1] = { keep: { from: last.keep.from, through: seq } }
    else stored.push({ keep: { from: seq, through: seq } })
  }
  return stored
}
