import type { Draft } from '../domain/message.ts'
import type { ContextCache, ContextOptions, ContextReceipt, ContextTokens } from './contexts.ts'
import type { RecallItem } from './recall.ts'

/** Which recorded contexts to list. */
export interface RecordedContextsOptions {
  /** At most this many of the newest, up to 1,000. @default 100 */
  readonly limit?: number
  /** Only those recorded before this one, by id: for the next page. */
  readonly before?: string
}

/** When a context was built, from what, and what it costs. */
export interface ContextFigures {
  /** Its id, for `contextAt`. */
  readonly id: string
  /** When it was built. */
  readonly at: string
  /** The version of the log that it was built from. */
  readonly version: number
  /** The last message of the log at that time. */
  readonly lastSeq: number
  /** The name of the model, if one was given. */
  readonly model?: string
  /** The name of the policy. */
  readonly policy: string
  /** At how many tokens of the window the policy compacts, as far as it says so. */
  readonly highMark?: number
  /** Down to how many tokens it compacts, as far as it says so. */
  readonly lowMark?: number
  /** What it costs, by kind. */
  readonly tokens: ContextTokens
  /** What a provider's prompt cache could reuse of the context before it. */
  readonly cache: ContextCache
  /** How many contexts of this session were built before it and not recorded, because too much else was to be written. */
  readonly missed: number
}

/** One context that was built, in numbers. */
export interface RecordedContext extends ContextFigures {
  /** How many messages it has. */
  readonly messages: number
  /** The SHA-256 of its messages, in hexadecimal. */
  readonly digest: string
}

/** The options of a context that was recorded. */
export type RecordedContextOptions = Omit<ContextOptions, 'system' | 'plan' | 'compact' | 'asOf'>

/** A recorded context with its messages. */
export interface ContextRecord extends ContextFigures {
  /** The SHA-256 of the messages that were handed out, in hexadecimal. */
  readonly digest: string
  /** The messages, read again from the log and from what was kept beside it. */
  readonly messages: readonly Draft[]
  /** Whether these are exactly the messages that were handed out. */
  readonly agrees: boolean
  /** Index of the first message that is not what was handed out; null if none is. */
  readonly firstDifference: number | null
  /** What the context is made of, and what was left out. */
  readonly receipt: ContextReceipt
  /** What was recalled into it, with reasons and sources. */
  readonly recalled: readonly RecallItem[]
  /** The options it was built with, without the system text and the plan, which are among the messages. */
  readonly options: RecordedContextOptions
}

/** How to divide the contexts of a session. */
export interface TokenHistoryOptions {
  /** At most this many buckets, up to 500. @default 500 */
  readonly buckets?: number
}

/** One or several contexts in a row. The largest of them represents them. */
export interface TokenBucket extends ContextFigures {
  /** How many contexts it represents. */
  readonly contexts: number
  /** How many tokens all of them had together. */
  readonly inputTokens: number
  /** How many of those were equal to the context before, and could be cached. */
  readonly equalTokens: number
}
