import type { Dialect } from '../domain/dialect.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Warning } from '../domain/warning.ts'
import type { Revision } from './messages.ts'

/** Appends messages. */
export interface AppendStep {
  /** What the step does. */
  readonly type: 'append'
  /** The messages, in order. */
  readonly messages: readonly NewMessage[]
}

/** Gives a message new content. */
export interface ReviseStep {
  /** What the step does. */
  readonly type: 'revise'
  /** The id of the message. */
  readonly id: string
  /** What to change in it. */
  readonly patch: Revision
}

/** Takes a message out of the window. */
export interface RemoveStep {
  /** What the step does. */
  readonly type: 'remove'
  /** The id of the message, which an earlier step of the same change may have appended. */
  readonly id: string
}

/** Takes everything so far out of the window. */
export interface ClearStep {
  /** What the step does. */
  readonly type: 'clear'
  /** Keep system messages in the window. @default true */
  readonly keepSystem?: boolean
}

/** One step of a change. */
export type ChangeStep = AppendStep | ReviseStep | RemoveStep | ClearStep

/** How a session is changed. */
export interface ChangeOptions {
  /** Change only if this is still the last position, or the version of the log. @default whatever the log is */
  readonly after?: number | { readonly version: number }
  /** Names this change. The same name with the same steps changes nothing and returns what is stored. */
  readonly operationId?: string
  /** What was asked, in words of your own: a retry is recognised by it, for programs that make the steps from the log. @default the steps */
  readonly request?: string
}

/** What a change stored. */
export interface Changed {
  /** The messages that were appended or revised, in the order of the steps. */
  readonly messages: readonly Message[]
  /** What was odd about them. */
  readonly warnings: readonly Warning[]
  /** The last position of the session now. */
  readonly lastSeq: number
  /** The version of the session's log now. */
  readonly version: number
}

/** How a transcript is synchronised. */
export interface SyncOptions {
  /** The dialect that the messages are in. @default messages of Daybook */
  readonly dialect?: Dialect
  /** The messages are the whole conversation: live messages before the first one given are removed. @default false */
  readonly complete?: boolean
}

/** What a synchronisation stored. All lists are empty if the session was up to date. */
export interface Synced {
  /** The messages that are new. */
  readonly appended: readonly Message[]
  /** The messages that have new content. */
  readonly revised: readonly Message[]
  /** The ids of the messages that were removed. */
  readonly removed: readonly string[]
  /** The last position of the session now. */
  readonly lastSeq: number
  /** The version of the session's log now. */
  readonly version: number
}
