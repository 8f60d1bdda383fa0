import type { Draft } from './message.ts'
import type { Trust } from './trust.ts'

/** Messages from one sequence number through another, both included. */
export interface SeqRange {
  readonly from: number
  readonly through: number
}

/** Something exact that a reader may need again, with the messages that have it. */
export interface Identifier {
  readonly kind: 'path' | 'url' | 'email' | 'number' | 'date' | 'code' | 'hash' | 'quoted' | 'error'
  readonly text: string
  readonly seqs: readonly number[]
  /** Said by the user or part of an error: stays visible in the fold unless the policy says otherwise. */
  readonly vital: boolean
  /** The trust of the best source that named it. What only tools, documents or the web named has 0 and is shown apart. */
  readonly trust: Trust
}

/**
 * A stand-in for a range of history. The messages it hides stay in the log and are read again with `reopen`.
 *
 * - `offload` and `truncate` keep the message and shorten what it carries
 * - `merge` and `summary` say in their own words what happened
 * - `drop` shows one line: how many messages, when, and the id to reopen them by
 */
export interface Fold {
  /** Derived from what it hides and how, so that the same compaction gives the same id. */
  readonly id: string
  readonly kind: 'offload' | 'truncate' | 'merge' | 'summary' | 'drop'
  /** What it hides, ascending. No two folds of a window hide the same message. */
  readonly sources: readonly SeqRange[]
  /** How many messages that are. */
  readonly messages: number
  readonly standIn: readonly Draft[]
  /** Of the stand-in. */
  readonly tokens: number
  /** Who counted: counts of different tokenizers do not compare. */
  readonly tokenizer: string
  /** 0 for a fold of messages; one more than the highest it contains for a fold of folds. */
  readonly level: number
  /** The trust of the least trusted thing it hides: words about it are trusted no more. */
  readonly trust: Trust
  readonly by: 'rule' | 'extract' | 'model'
  /** The last message of the assistant that it hides, 0 if none: results before it were answered. */
  readonly answeredAt: number
  /** When the first and the last of the messages were said. */
  readonly firstAt: string
  readonly lastAt: string
  readonly ledger: readonly Identifier[]
  /** Identifiers that the ledger had no room for; `reopen` shows them. */
  readonly omitted: number
  /** What its messages are tagged with and which tools they use, so that a pin that is said later finds them. */
  readonly tags: readonly string[]
  readonly tools: readonly string[]
}
