import type { JSONObject } from '../domain/json.ts'
import type { Part } from '../domain/part.ts'
import type { Plan } from '../domain/plan.ts'
import type { Note, Task, ToolStats } from './state.ts'

/** Which document to read. */
export interface DocumentOptions {
  /** At most this many of the newest messages. @default all that are live */
  readonly recent?: number
  /** The session as it was at this time. @default now */
  readonly asOf?: Date | string
}

/** A message as a document has it. */
export interface HistoryEntry {
  /** When it was said, in seconds since 1970; 0 if that is not known. */
  readonly timestamp: number
  /** Who spoke. */
  readonly role: string
  /** Its text. If it is more than text, `parts` has all of it. */
  readonly content: string
  /** What it costs in tokens. */
  readonly token_count?: number
  /** Its id. */
  readonly id?: string
  /** The name of the user, agent or tool. */
  readonly name?: string
  /** Its tags. */
  readonly tags?: readonly string[]
  /** Whatever a program wants to keep with it. */
  readonly metadata?: JSONObject
  /** What was said, part by part. */
  readonly parts?: readonly Part[]
  /** It was imported from elsewhere: trusted like a web page, whatever its role. */
  readonly imported?: true
}

/** What an agent was set up with. */
export interface SystemState {
  /** The workspace that was used last; null if there was none. */
  readonly last_workspace: string | null
  /** Preferences of the user, by name. */
  readonly preferences: JSONObject
}

/** What an agent knows about the machine that it works on. */
export interface KnownEnvironment {
  /** The workspace; null if there is none. */
  readonly workspace: string | null
  /** When it was last looked at, in seconds since 1970; 0 for never. */
  readonly last_update: number
  /** What was found there. */
  readonly system_snapshot: JSONObject
}

/** What the providers counted for a session. */
export interface TokenUsage {
  /** Input tokens. */
  readonly total_input: number
  /** Output tokens. */
  readonly total_output: number
  /** Both together. */
  readonly by_session: number
}

/** A session as one document that people can read. Fields that Daybook does not know are kept. */
export interface ContextDocument {
  /** The version of the format. */
  readonly schema: number
  /** The id of the session. */
  readonly session_id: string
  /** How often it was saved to a file; missing if it never was. */
  readonly version?: number
  /** When it was saved to a file, in seconds since 1970. */
  readonly updated_at?: number
  /** A hash of the rest, set by an export. If it still fits, nobody edited the file, and the next export may replace it. */
  readonly exported?: string
  /** What the agent was set up with. */
  readonly system_state: SystemState
  /** What was learned from the session, as sentences. */
  readonly facts: readonly string[]
  /** The messages that are live, oldest first. */
  readonly recent_history: readonly HistoryEntry[]
  /** What came before them, in short. */
  readonly long_term_summary: string
  /** Tasks that are open or ended less than a day ago. */
  readonly active_tasks: readonly Task[]
  /** How often tools were called. */
  readonly tool_stats: ToolStats
  /** What the agent knows about its machine. */
  readonly last_known_environment: KnownEnvironment
  /** What the providers counted. */
  readonly token_usage: TokenUsage
  /** The agent's plan. */
  readonly plan?: Plan
  /** The agent's notes. */
  readonly notes?: readonly Note[]
}
