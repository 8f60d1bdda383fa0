import { BEFORE_FORGOTTEN_STATES, readForgottenStateName } from '../domain/forgotten-state-name.ts'
import type { ArchiveRow, ArchiveStore } from '../ports/archive-store.ts'

const ROWS_PER_PAGE = 500

/** How often each state and predicate of a scope was forgotten here, by its hash. */
export async function forgottenStates(archive: ArchiveStore, scope: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  let after: ArchiveRow = { scope, name: BEFORE_FORGOTTEN_STATES }
  for (;;) {
    const rows = await archive.rows('forgotten', { scope }, { after, limit: ROWS_PER_PAGE })
    for (const row of rows) {
      // Names of the scopes below follow.
      if (row['scope'] !== scope) return found
      const read = readForgottenStateName(String(row['name']))
      if (read !== undefined) found.set(read.hash, Math.max(read.times, found.get(read.hash) ?? 0))
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_PER_PAGE) return found
    after = last
  }
}
