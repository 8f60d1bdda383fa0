import type { Draft } from '../../domain/message.ts'
import type { NewFact } from '../../domain/new-fact.ts'

/** Where something stands in what is imported. */
export interface ImportLocation {
  /** Relative to what was given; entries of a zip by their name in it. */
  readonly file: string
  /** From 1, in files of JSON lines. */
  readonly line?: number
  /** From 1, in files that are one list. */
  readonly item?: number
  /** Of a conversation or message, as the file has it. */
  readonly id?: string
}

export type SkipReason =
  | 'not-json' // no JSON at all
  | 'torn' // ends in the middle: a file that was cut, a line that was not finished
  | 'nul-bytes' // what a crash leaves where something should have been written
  | 'too-large' // over a limit
  | 'too-deep' // nested beyond any honest document
  | 'unpacks-too-large' // an entry of a zip that is a bomb, or is not what the zip says
  | 'unreadable' // the file itself could not be read
  | 'unknown-format' // JSON, of nobody we know
  | 'not-a-message' // of a known format, and nothing that was said: settings, snapshots, history
  | 'wrong-type' // of a known format, with something in it that cannot be
  | 'no-content' // says nothing
  | 'hidden' // never shown in the conversation: what a program put in for itself
  | 'do-not-remember' // its owner asked that it be not remembered
  | 'duplicate-id' // the second of two with one id
  | 'cycle' // a message that answers itself, by way of others
  | 'attachment-missing' // named, but not in the file; the message came in without it
  | 'stored-otherwise' // here under the same id with other content, which stays
  | 'forgotten' // here once, and forgotten since: an import does not bring it back
  | 'session-taken' // the session of that id was held here, or is another conversation: an import does not write into it

/** Something that does not come in, or not whole. */
export interface Skipped {
  readonly place: ImportLocation
  readonly reason: SkipReason
  /** What was found there. */
  readonly message: string
}

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
  | { readonly type: 'fact'; readonly fact: NewFact; readonly place: ImportLocation }
  | { readonly type: 'skipped'; readonly skipped: Skipped }

export function skip(place: ImportLocation, reason: SkipReason, message: string): ImportedItem {
  return { type: 'skipped', skipped: { place, reason, message } }
}
