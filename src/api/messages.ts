import type { Dialect } from '../domain/dialect.ts'
import type { JSONObject } from '../domain/json.ts'
import type { Message, Role } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Warning } from '../domain/warning.ts'

/** How messages are appended. */
export interface AppendOptions {
  /** Append only if this is still the last position; 0 if the session must be empty. @default wherever the log ends */
  readonly after?: number
  /** An id for this append, which makes a retry safe. The same name with the same messages appends nothing and returns what is stored. */
  readonly operationId?: string
  /** Refuse tool results without a call, instead of storing them with a warning. @default false */
  readonly strict?: boolean
}

/** How messages of a provider are appended. */
export interface ForeignAppendOptions extends AppendOptions {
  /** The dialect that the messages are in: they are stored as they are, converted. */
  readonly from: Dialect
}

/** The messages as stored, in the order given. `warnings` lists what was odd about them. */
export type Appended<Messages extends readonly Message[] = readonly Message[]> = Messages & {
  readonly warnings: readonly Warning[]
}

/** The moment that a session is read at. */
export interface AsOf {
  /** The session as it was at this moment: a time, or a version of its log. @default now */
  readonly asOf?: Moment
}

/** Which messages to read. */
export interface MessageFilter {
  /** Only messages of this role. */
  readonly role?: Role
  /** Only messages with this tag. */
  readonly tag?: string
  /** Only messages whose metadata has these values. Nested objects may have more. */
  readonly where?: JSONObject
  /** Only messages with this text in them, in any case. */
  readonly text?: string
}

/** Which part of the history to read. */
export interface HistoryOptions extends MessageFilter, AsOf {
  /** At most this many messages: the oldest, or with `before` alone the newest before it. @default all */
  readonly limit?: number
  /** Only messages with a smaller sequence number: the first of this page is the `before` of the page before. */
  readonly before?: number
  /** Only messages with a greater sequence number: the last of this page is the `after` of the next. */
  readonly after?: number
  /** Accept a result that may be slightly out of date, from a replica if there is one. @default false */
  readonly stale?: boolean
}

/** How to search a session. */
export interface SearchOptions extends AsOf {
  /** At most this many messages, the newest. @default all */
  readonly limit?: number
  /** Accept a result that may be slightly out of date, from a replica if there is one. @default false */
  readonly stale?: boolean
}

/** How to follow a session. */
export interface WatchOptions {
  /** Start with the first message after this sequence number; 0 for the whole history. @default the end of the log */
  readonly after?: number
  /** Ends the watch. */
  readonly signal?: AbortSignal
}

/**
 * What to change in a message. What is left out stays; `null` removes it. `content` as text replaces the text and nothing else
 * (for a tool message the output of its result); `toolCalls`, `agentCalls`, `images` and `data` replace their own kind;
 * `parts`, or `content` as a list, replaces all.
 */
export type Revision = {
  readonly [Key in 'content' | 'parts' | 'data' | 'images' | 'toolCalls' | 'agentCalls']?: NewMessage[Key]
} & { readonly [Key in 'name' | 'tags' | 'metadata' | 'provider' | 'incomplete']?: NewMessage[Key] | null }
