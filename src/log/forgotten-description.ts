import type { LogStore, SessionHead } from '../ports/log-store.ts'

/**
 * A description goes with the first message, which says it; the first link, which covers it, stays. A fork has its description from
 * the session that all began with, and may share no message with it.
 */
export async function isDescriptionForgotten(store: LogStore, { lineage }: SessionHead): Promise<boolean> {
  for (const { scope, key } of [lineage[0], lineage.at(-1)].filter((segment) => segment !== undefined)) {
    const query = { of: 'messages', scope, key, from: 1, through: 1, throughVersion: Number.MAX_SAFE_INTEGER } as const
    if ((await store.amendments(query)).some(({ kind, seq }) => kind === 'forget' && seq === 1)) return true
  }
  return false
}
