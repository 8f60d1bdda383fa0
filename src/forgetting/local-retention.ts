import type { Retention } from '../api/facts.ts'
import type { EffectiveRetention, RetentionOptions, RetentionSet } from '../api/facts.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { RetentionPolicy } from '../domain/retention.ts'
import { effective, overdueUnder } from './retention.ts'
import { checkCall } from '../surface/check-call.ts'
import { retentionOperations } from '../surface/facts.ts'
import type { ForgettingWiring } from './wiring.ts'

type RetentionWiring = ForgettingWiring & {
  readonly work: { checkOpen(): void; begin<Result>(work: Promise<Result>): Promise<Result> }
}

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalRetention implements Retention {
  readonly #parts: RetentionWiring
  readonly #scope: string

  /** @internal Use `scope.retention`. */
  constructor(parts: RetentionWiring, scope: string) {
    this.#parts = parts
    this.#scope = scope
  }

  async get(): Promise<EffectiveRetention | undefined> {
    this.#parts.work.checkOpen()
    return effective(this.#parts, this.#scope)
  }

  async set(policy: RetentionPolicy | null, options: RetentionOptions = {}): Promise<RetentionSet> {
    checkCall(retentionOperations.set, policy, options)
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
      const { forgetLog } = await import('./forget-log.ts')
      for await (const { scope, ...overdue } of overdueUnder(this.#parts, this.#scope, policy)) {
        sessions += 1
        messages += overdue.seqs.length
        if (dryRun) receipts.push(await forgetLog(this.#parts, scope, overdue, { reason: 'retention', dryRun }))
      }
    }
    return { policy, overdue: { sessions, messages, receipts } }
  }
}
