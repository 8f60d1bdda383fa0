import type { Draft } from '../domain/message.ts'
import type { RecallItem } from '../api/recall.ts'

/** What was recalled into a context: the items, and the messages that show them. */
export interface RecalledForContext {
  readonly items: readonly RecallItem[]
  readonly drafts: readonly Draft[]
}
