import { defined } from '../domain/defined.ts'
import type { Store } from '../ports/store.ts'

const SESSIONS_PER_PAGE = 200
const ROWS_AT_A_TIME = 1_000

/**
 * Throws away all that recall derived from the log. Vectors only where there is an embedder that makes them again: without
 * one, results would be worse until a process with one opens the memory.
 */
export async function dropIndex({ log, recall, vectors }: Store, withVectors: boolean): Promise<void> {
  await recall.clear()
  if (!withVectors) return
  const dropped = new Set<string>()
  for (let before: number | undefined; ;) {
    const page = await log.sessions({ everyScope: true }, { limit: SESSIONS_PER_PAGE, ...defined({ before }) })
    for (const { scope } of page) {
      if (dropped.has(scope)) continue
      dropped.add(scope)
      for (const set of await vectors.sets([scope])) while (!(await vectors.retire(set, ROWS_AT_A_TIME)));
    }
    before = page.at(-1)?.key
    if (page.length < SESSIONS_PER_PAGE) return
  }
}
