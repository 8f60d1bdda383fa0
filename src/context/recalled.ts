import type { Draft } from '../domain/message.ts'
import type { RecallItem, RecallOptions } from '../api/recall.ts'

export interface ContextRecall extends Pick<
  RecallOptions,
  'kinds' | 'limit' | 'since' | 'until' | 'ancestors' | 'roles'
> {
  /** @default what the user said last */
  readonly query?: string
  /** Tokens that recalled text may cost. @default a tenth of the context's budget, at most 1,000; of a small budget a quarter */
  readonly budget?: number
  /** How long a context waits for it. @default 2,000 */
  readonly deadlineMs?: number
}

/** What was recalled into a context: the items, and the messages that show them. */
export interface RecalledForContext {
  readonly items: readonly RecallItem[]
  readonly drafts: readonly Draft[]
}
