import { checkOptions } from './check-options.ts'
import { refuse } from './refuse.ts'

/**
 * How long the messages of a scope are kept, here and deeper, unless a deeper scope has a policy of its own. What is beyond
 * it is forgotten in the background. An empty policy keeps everything.
 */
export interface RetentionPolicy {
  /** Messages that were stored longer ago are forgotten. */
  readonly days?: number
  /** All but the newest so many of each session are forgotten. */
  readonly messages?: number
}

/** Accepts a policy; `null` takes the scope's own away. */
export function checkRetention(policy: unknown): asserts policy is RetentionPolicy | null {
  if (policy === null) return
  checkOptions('set a retention', policy, ['days', 'messages'])
  const { days, messages } = policy as RetentionPolicy
  if (days !== undefined && (typeof days !== 'number' || !Number.isFinite(days) || days <= 0))
    refuse('set a retention', 'days', days, 'a number of days above 0')
  if (messages !== undefined && (!Number.isSafeInteger(messages) || messages < 0))
    refuse('set a retention', 'messages', messages, 'a whole number from 0 on')
}
