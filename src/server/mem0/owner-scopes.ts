import type { Memory } from '../../api/memory.ts'
import { ownerOfScope } from './owner.ts'

const SCOPES_PER_PAGE = 1_000

/** The scopes of all users, agents, apps and runs below one scope, with the time of their last change. */
export async function* ownerScopes(
  memory: Memory,
  base: string,
): AsyncGenerator<{ readonly scope: string; readonly updatedAt: string }, undefined> {
  let after: string | null | undefined
  do {
    const page = await memory.scopes({ under: base, limit: SCOPES_PER_PAGE, ...(after == null ? {} : { after }) })
    for (const one of page.scopes) if (ownerOfScope(base, one.scope) !== undefined) yield one
    after = page.next
  } while (after !== null)
}
