import type { Fold, Identifier, SeqRange } from '../../domain/fold.ts'
import type { Compaction } from '../window/compaction.ts'
import { type Entry, draftsOf } from '../window/entry.ts'
import { ledgerOf, visibleIn } from '../summary/ledger.ts'
import type { StepReport } from './step-report.ts'

/** What a compaction kept and hid, and what it took out of sight. */
export interface CompactionReceipt {
  /** Its name for `undo`; `null` for a dry run. */
  readonly compaction: number | null
  readonly policy: string
  readonly through: number
  readonly before: Compaction['before']
  readonly after: Compaction['after']
  readonly folds: readonly (Omit<Fold, 'standIn' | 'ledger'> & { readonly identifiers: number })[]
  readonly kept: readonly SeqRange[]
  /** Identifiers that could be seen before and cannot be seen now. Each is one `reopen` away. */
  readonly hidden: readonly Identifier[]
  readonly steps: readonly StepReport[]
  /** Whether the window came down to the low mark; if not, it was as far as the policy's steps go. */
  readonly reached: boolean
}

export function compactionReceipt(
  compaction: Compaction,
  before: readonly Entry[],
  version: number | null,
): CompactionReceipt {
  const { policy, through, steps } = compaction
  const folds = compaction.entries.flatMap((item) => ('fold' in item ? [item.fold] : []))
  const messages = new Set(compaction.entries.flatMap((item) => ('keep' in item ? [item.keep] : [])))
  const seen = visibleIn(before.flatMap(draftsOf))
  const keptDrafts = before.filter(
    (entry) =>
      entry.type === 'message' &&
      [...messages].some(({ from, through: last }) => from <= entry.message.seq && entry.message.seq <= last),
  )
  const sees = visibleIn([...keptDrafts.flatMap(draftsOf), ...folds.flatMap((fold) => fold.standIn)])
  return {
    compaction: version,
    policy,
    through,
    before: compaction.before,
    after: compaction.after,
    folds: folds.map(({ standIn: _standIn, ledger, ...fold }) => ({ ...fold, identifiers: ledger.length })),
    kept: [...messages],
    hidden: ledgerOf(before, Infinity).identifiers.filter((identifier) => seen(identifier) && !sees(identifier)),
    steps,
    reached: compaction.reached,
  }
}
