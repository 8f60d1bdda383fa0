import type { SkipReason } from '../../domain/skip-reason.ts'
import type { ImportLocation, Skipped } from '../../api/imports.ts'
import type { Draft } from '../../domain/message.ts'
import type { NewFact } from '../../domain/new-fact.ts'

/** One step of a conversation: a message, or several that belong together, after the step before. */
export interface Turn {
  /** Unique in its conversation, and the same in every export of it: message ids are made of it. */
  readonly key: string
  /** Which turn it follows; null for a beginning. Two turns after one are branches, the earlier being the trunk. */
  readonly parent: string | null
  /** None for what only holds others together. */
  readonly drafts: readonly Draft[]
  readonly place: ImportLocation
}

export interface ImportedConversation {
  /** As the file calls it; where it does not, after the file. */
  readonly id: string
  readonly title?: string
  readonly place: ImportLocation
  /** In the order they came about. */
  readonly turns: readonly Turn[]
}

/** What a reader makes of records. */
export type ImportedItem =
  | { readonly type: 'conversation'; readonly conversation: ImportedConversation }
  /** With the user that it belongs to, where the file has those of several. */
  | { readonly type: 'fact'; readonly fact: NewFact; readonly place: ImportLocation; readonly user?: string }
  | { readonly type: 'skipped'; readonly skipped: Skipped }
  /** Others may run here: one conversation may have hundreds of thousands of messages. */
  | { readonly type: 'pause' }

export const PAUSE: ImportedItem = { type: 'pause' }

export function skip(place: ImportLocation, reason: SkipReason, message: string): ImportedItem {
  return { type: 'skipped', skipped: { place, reason, message } }
}
