import type { Role } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'

/** How a session is opened. */
export interface SessionOptions {
  /** The system message that a new session starts with. A session that exists keeps what it has; `append` warns if it is another one. */
  readonly description?: string
}

/** Which sessions to list. */
export interface SessionsOptions {
  /** At most this many sessions. @default 50 */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** Only sessions with this text in their id or description, in any case. */
  readonly text?: string
  /** Which sessions come first: those created last, or with `active` those changed last. @default 'created' */
  readonly order?: 'created' | 'active'
  /** Add to each session its title, who spoke last and how large its last context was. @default false */
  readonly preview?: boolean
}

/** What a session shows in a list. */
export interface SessionPreview {
  /** The title of the conversation, if it was imported with one; null if not. */
  readonly title: string | null
  /** The name or the role of whoever spoke last; null if nothing is in the window. */
  readonly speaker: string | null
  /** The first 200 characters of the last message. */
  readonly text: string
  /** The last context that was recorded; null if there is none. */
  readonly context: PreviewedContext | null
}

/** The last recorded context of a session, in tokens. */
export interface PreviewedContext {
  /** How large it was. */
  readonly tokens: number
  /** The budget that it was built for. */
  readonly budget: number
  /** How many of its leading tokens equalled the context before. */
  readonly cached: number
}

/** Which session a fork was made from. */
export interface ForkOrigin {
  /** The id of that session. */
  readonly id: string
  /** The last message of it that the fork shares. */
  readonly at: number
}

/** A session as a list of sessions has it. */
export interface SessionSummary {
  /** Its id. */
  readonly id: string
  /** The system message that it started with; null if there was none. */
  readonly description: string | null
  /** How many messages were ever appended, with those that a fork inherited. */
  readonly messages: number
  /** How many changes its log has. */
  readonly version: number
  /** When it was created. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
  /** The session that it was forked from; null if it is not a fork. */
  readonly forkOf: ForkOrigin | null
  /** Its title, who spoke last and how large its last context was, if that was asked for. */
  readonly preview?: SessionPreview
}

/** A page of sessions, newest first. */
export interface SessionsPage {
  /** The sessions. */
  readonly sessions: readonly SessionSummary[]
  /** The `after` of the next page; null on the last. */
  readonly next: string | null
}

/** Figures of a session. */
export interface SessionStats {
  /** How many messages were ever appended, except those that were forgotten. */
  readonly messages: number
  /** How many of them are in the window: neither removed nor cleared. */
  readonly live: number
  /** What the live messages cost. */
  readonly tokens: number
  /** How many messages are live, by role. */
  readonly byRole: Readonly<Record<Role, number>>
  /** How many tools the live messages call. */
  readonly toolCalls: number
  /** How many revisions were made. */
  readonly revisions: number
  /** How many changes its log has. `asOf: { version }` reads the session as it is now at any later time. */
  readonly version: number
  /** When the first message was said; null if there is none. */
  readonly firstAt: string | null
  /** When the last message was said; null if there is none. */
  readonly lastAt: string | null
}

/** What to take out of the window. */
export interface ClearOptions {
  /** Leave system messages in the window. @default true */
  readonly keepSystem?: boolean
}

/** What was taken out of the window. */
export interface Cleared {
  /** The last message that was taken out; 0 if there was none. */
  readonly through: number
}

/** Where to fork a session. */
export interface ForkOptions {
  /** The last message that both share, as a sequence number or a moment. @default the last message */
  readonly at?: number | Moment
}

/** What a provider counted for one request. */
export interface ReportedUsage {
  /** The model that was called. */
  readonly model: string
  /** Input tokens as the provider counted them, with cached ones. */
  readonly inputTokens: number
  /** Output tokens, for the totals of the session. @default 0 */
  readonly outputTokens?: number
  /** What Daybook counted for the same request, without corrections. @default the count of the last context of this session for this model, built by this process */
  readonly estimatedTokens?: number
}
