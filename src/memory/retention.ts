import { checkOptions } from '../domain/check-options.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { type RetentionPolicy, checkRetention } from '../domain/retention.ts'
import { scopeChain } from '../domain/scope-path.ts'
import type { RetentionBounds, SessionOverdue } from '../ports/retention-store.ts'
import { checkFlag } from './check-arguments.ts'
import type { Parts } from './parts.ts'

const DAY_MS = 86_400_000
const SESSIONS_PER_PAGE = 100
/** One transaction forgets so many: others write in between. */
export const MESSAGES_PER_STEP = 200

export interface EffectiveRetention {
  readonly policy: RetentionPolicy
  /** The scope that set it: this one or an ancestor. */
  readonly from: string
}

export interface RetentionSet {
  readonly policy: RetentionPolicy | null
  /** What is beyond it now: forgotten in the background, or with `dryRun` only counted. */
  readonly overdue: {
    readonly sessions: number
    readonly messages: number
    readonly receipts: readonly ForgetReceipt[]
  }
}

/** How long a scope keeps its messages. */
export type Retention = Pick<LocalRetention, keyof LocalRetention>

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalRetention {
  readonly #parts: Parts
  readonly #scope: string

  /** @internal Use `scope.retention`. */
  constructor(parts: Parts, scope: string) {
    this.#parts = parts
    this.#scope = scope
  }

  /** The policy in effect here: its own, or that of the nearest ancestor that has one. */
  async get(): Promise<EffectiveRetention | undefined> {
    this.#parts.work.checkOpen()
    return effective(this.#parts, this.#scope)
  }

  /**
   * Sets the policy of this scope and those below that have none of their own; `null` takes it away. With `dryRun`, nothing
   * is changed: the answer says what would be forgotten.
   */
  async set(policy: RetentionPolicy | null, options: { readonly dryRun?: boolean } = {}): Promise<RetentionSet> {
    checkRetention(policy)
    checkOptions('set a retention', options, ['dryRun'])
    if (options.dryRun !== undefined) checkFlag('set a retention', 'dryRun', options.dryRun)
    const { work, runner } = this.#parts
    work.checkOpen()
    return work.begin(this.#set(policy, options.dryRun === true)).finally(() => runner.nudge())
  }

  async #set(policy: RetentionPolicy | null, dryRun: boolean): Promise<RetentionSet> {
    const { store, log } = this.#parts
    if (!dryRun)
      await store.retention.set(this.#scope, policy === null ? null : JSON.stringify(policy), log.clock.now())
    const receipts: ForgetReceipt[] = []
    let [sessions, messages] = [0, 0]
    if (policy !== null) {
      const { forgetLog } = await import('./forget.ts')
      for await (const { scope, ...overdue } of overdueUnder(this.#parts, this.#scope, policy)) {
        sessions += 1
        messages += overdue.seqs.length
        if (dryRun) receipts.push(await forgetLog(this.#parts, scope, overdue, { reason: 'retention', dryRun }))
      }
    }
    return { policy, overdue: { sessions, messages, receipts } }
  }
}

export async function effective({ store }: Parts, scope: string): Promise<EffectiveRetention | undefined> {
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
    ...(messages === undefined ? {} : { keep: messages }),
  }
}

/** What is beyond a policy in the scope that has it and in those below that have none of their own. */
export async function* overdueUnder(
  parts: Parts,
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
