import type { Fold } from '../../domain/fold.ts'
import type { View } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import { compactionsIn } from './compaction.ts'

/** A fold of this session by its id: of the compaction in effect or of an earlier one, because a context may still show it. */
export async function findFold(store: LogStore, view: View, id: string): Promise<Fold | undefined> {
  for await (const { compaction } of compactionsIn(store, view))
    for (const item of compaction.entries) if ('fold' in item && item.fold.id === id) return item.fold
  return undefined
}
