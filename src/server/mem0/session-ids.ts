import type { Scope } from '../../api/scope.ts'

const SESSIONS_PER_PAGE = 100

/** The ids of all sessions of a scope. */
export async function sessionIds(scope: Scope): Promise<readonly string[]> {
  const ids: string[] = []
  let after: string | null | undefined
  do {
    const page = await scope.sessions({ limit: SESSIONS_PER_PAGE, ...(after == null ? {} : { after }) })
    ids.push(...page.sessions.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  return ids
}
