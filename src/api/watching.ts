import type { Fact } from '../domain/fact.ts'
import type { Job } from '../domain/job.ts'
import type { Message } from '../domain/message.ts'

/** What can happen in a scope. */
export type ScopeEventKind = 'session' | 'message' | 'change' | 'compaction' | 'forgotten' | 'fact' | 'job'

/** What to follow in a scope. */
export interface ScopeWatchOptions {
  /** Continue after the event with this `cursor`. @default what happens from now on */
  readonly after?: string
  /** Only events of these kinds. @default all */
  readonly kinds?: readonly ScopeEventKind[]
  /** Ends the watch. */
  readonly signal?: AbortSignal
}

/** A session was created. */
export interface SessionCreated {
  /** What happened. */
  readonly type: 'session'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** The id of the session. */
  readonly session: string
  /** When it was created. */
  readonly at: string
}

/** A message was appended. One that is being streamed is followed by a `change` when it is complete. */
export interface MessageAppended {
  /** What happened. */
  readonly type: 'message'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** The id of the session. */
  readonly session: string
  /** The message. */
  readonly message: Message
}

/** A session was changed in another way. */
export interface SessionChanged {
  /** What happened. */
  readonly type: 'change'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** The id of the session. */
  readonly session: string
  /** What was done: a message was revised, removed or forgotten, the window was cleared, or a compaction undone. */
  readonly change: 'revise' | 'remove' | 'clear' | 'undo' | 'forget'
  /** The message that it is about; of a clear or an undo, the last message that it covers. */
  readonly seq: number
  /** The version of the log that it made. */
  readonly version: number
  /** When it was stored. */
  readonly at: string
}

/** A window was compacted. */
export interface WindowCompacted {
  /** What happened. */
  readonly type: 'compaction'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** The id of the session. */
  readonly session: string
  /** The number of the compaction, for `undo`. */
  readonly compaction: number
  /** The last message that it covers. */
  readonly through: number
  /** When it was stored. */
  readonly at: string
}

/** Sessions were forgotten as a whole. Their names were destroyed with them. */
export interface SessionsForgotten {
  /** What happened. */
  readonly type: 'forgotten'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** How many. */
  readonly sessions: number
}

/** A fact was learned, changed or forgotten. Several changes of one fact may be one event. */
export interface FactChanged {
  /** What happened. */
  readonly type: 'fact'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** The id of the fact. */
  readonly id: string
  /** The fact as it is now; null if it was forgotten. */
  readonly fact: Fact | null
}

/** Background work was created or changed its state. Several changes of one job may be one event. */
export interface JobChanged {
  /** What happened. */
  readonly type: 'job'
  /** Continues after this event: see `after`. */
  readonly cursor: string
  /** The job as it is now. */
  readonly job: Job
}

/** Something that happened in a scope. */
export type ScopeEvent =
  | SessionCreated
  | MessageAppended
  | SessionChanged
  | WindowCompacted
  | SessionsForgotten
  | FactChanged
  | JobChanged
