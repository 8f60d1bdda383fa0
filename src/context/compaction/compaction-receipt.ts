import type { CompactionReceipt } from '../../api/contexts.ts'
import type { Compaction } from '../window/compaction.ts'
import { type Entry, draftsOf } from '../window/entry.ts'
import { ledgerOf, visibleIn } from '../summary/ledger.ts'

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
