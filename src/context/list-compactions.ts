import { defined } from '../domain/defined.ts'
import type { CompactionsOptions, ListedCompaction } from '../api/contexts.ts'
import type { Address } from '../log/log.ts'
import { openView } from '../log/view.ts'
import type { ContextWiring } from './wiring.ts'
import { compactionsIn } from './window/compaction.ts'

const LIMIT = 100

/** The compactions of a session, newest first: its own and those of its contexts. */
export async function listCompactions(
  { store }: Pick<ContextWiring, 'store'>,
  address: Address,
  { limit = LIMIT }: CompactionsOptions,
): Promise<readonly ListedCompaction[]> {
  const view = await openView(store.log, address)
  const listed: ListedCompaction[] = []
  if (view === undefined) return listed
  for await (const { version, at, compaction, inEffect } of compactionsIn(store.log, view)) {
    const { policy, call, through, before, after, entries } = compaction
    listed.push({
      compaction: version,
      at: new Date(at).toISOString(),
      policy,
      of: call === undefined ? 'session' : 'context',
      ...defined({ room: call?.room }),
      through,
      before,
      after,
      folds: entries.flatMap((item) => ('fold' in item ? [item.fold.id] : [])),
      undone: !inEffect,
    })
    if (listed.length >= limit) break
  }
  return listed
}
