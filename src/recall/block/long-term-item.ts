import type { Trust } from '../../domain/trust.ts'

/** One thing remembered, as an agent sees it. */
export interface LongTermItem {
  /** What `reopen` takes: `support-42#12` for a message, `support-42#fold-1f0c` for a summary. Empty for a fact. */
  readonly id: string
  /** Name or role of who said it; `fact` or `summary` for what was derived. */
  readonly speaker: string
  readonly text: string
  /** When it was said: ISO 8601, shown to the minute. Empty if that is not known. */
  readonly at: string
  readonly trust: Trust
  /** How many characters of the text were left out. */
  readonly cut?: number
}
