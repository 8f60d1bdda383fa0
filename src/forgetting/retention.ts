import { defined } from '../domain/defined.ts'
import type { EffectiveRetention } from '../api/facts.ts'
import type { RetentionPolicy } from '../domain/retention.ts'
import { scopeChain } from '../domain/scope-path.ts'
import type { RetentionBounds, SessionOverdue } from '../ports/retention-store.ts'
import type { ForgettingWiring } from './wiring.ts'

const DAY_MS = 86_400_000
const SESSIONS_PER_PAGE = 100
/** One transaction forgets so many: others write in between. */
export const MESSAGES_PER_STEP = 200

export async function effective({ store }: ForgettingWiring, scope: string): Promise<EffectiveRetention | undefined> {
  const chain = scopeChain(scope)
  const rows = await store.retention.get(chain)
  // Nearest first.
  const [nearest] = rows.toSorted((a, b) => chain.indexOf(a.scope) - chain.indexOf(b.scope))
  return nearest === undefined
    ? undefined
    : { policy: JSON.parse(nearest.policy) as RetentionPolicy, from: nearest.scope }
}

export function boundsOf({ days, messages }: RetentionPolicy, now: number): RetentionBounds {
  return {
    ...(days === undefined ? {} : { before: now - days * DAY_MS }),
    ...defined({ keep: messages }),
  }
}

/** What is beyond a policy in the scope that has it and in those below that have none of their own. */
export async function* overdueUnder(
  parts: ForgettingWiring,
  from: string,
  policy: RetentionPolicy,
  limit: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<SessionOverdue> {
  const { store, log } = parts
  const bounds = boundsOf(policy, log.clock.now())
  if (policy.days === undefined && policy.messages === undefined) return
  for (const scope of await store.retention.scopes(from)) {
    const nearest = scope === from ? from : (await effective(parts, scope))?.from
    // A policy that is only tried out is not stored yet: what has none of its own would be under it.
    if (nearest !== undefined && nearest !== from && nearest.length > from.length) continue
    for (let after = 0; ;) {
      const page = await store.retention.overdue(scope, bounds, { after, sessions: SESSIONS_PER_PAGE, messages: limit })
      yield* page.filter(({ seqs }) => seqs.length > 0)
      const last = page.at(-1)
      if (last === undefined || page.length < SESSIONS_PER_PAGE) break
      after = last.key
    }
  }
}
