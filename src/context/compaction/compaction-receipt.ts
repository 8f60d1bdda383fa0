import type { CompactionReceipt } from '../../api/contexts.ts'
import type { Compaction } from '../window/compaction.ts'
import { type Entry, draftsOf } from '../window/entry.ts'
import { rangesHave } from '../window/ranges.ts'
import { ledgerInTurns, visibleAmong } from '../summary/ledger.ts'

export async function compactionReceipt(
  compaction: Compaction,
  before: readonly Entry[],
  version: number | null,
): Promise<CompactionReceipt> {
  const { policy, through, steps } = compaction
  const folds = compaction.entries.flatMap((item) => ('fold' in item ? [item.fold] : []))
  const kept = compaction.entries.flatMap((item) => ('keep' in item ? [item.keep] : []))
  const { identifiers } = await ledgerInTurns(before, Infinity)
  const seen = await visibleAmong(before.flatMap(draftsOf), identifiers)
  const keptDrafts = before.filter((entry) => entry.type === 'message' && rangesHave(kept, entry.message.seq))
  const left = [...keptDrafts.flatMap(draftsOf), ...folds.flatMap((fold) => fold.standIn)]
  const stillSeen = await visibleAmong(left, [...seen])
  return {
    compaction: version,
    policy,
    through,
    before: compaction.before,
    after: compaction.after,
    folds: folds.map(({ standIn: _standIn, ledger, ...fold }) => ({ ...fold, identifiers: ledger.length })),
    kept,
    hidden: identifiers.filter((identifier) => seen.has(identifier) && !stillSeen.has(identifier)),
    steps,
    reached: compaction.reached,
  }
}
