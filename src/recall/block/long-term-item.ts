import type { Trust } from '../../domain/trust.ts'

/** One thing remembered, as an agent sees it. */
export interface LongTermItem {
  readonly id: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
  readonly trust: Trust
  /** Where it comes from, in words: `message 12 of session "support-42"`. */
  readonly source: string
  /** How many characters of the text were left out. */
  readonly cut?: number
}
