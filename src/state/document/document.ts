import type { Note, Task, ToolStats } from '../../api/state.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Part } from '../../domain/part.ts'
import type { Plan } from '../../domain/plan.ts'
import { NO_TOKEN_USAGE, type TokenUsage } from '../token-usage.ts'
import { NO_TOOL_STATS } from '../tool-stats.ts'

/** What this version writes. A document that says nothing is of the first. */
export const DOCUMENT_SCHEMA = 1

export interface HistoryEntry {
  /** Seconds since 1970; 0 if that is not known. */
  readonly timestamp: number
  readonly role: string
  /** For people. Where a message is more than text, `parts` has all of it. */
  readonly content: string
  readonly token_count?: number
  readonly id?: string
  readonly name?: string
  readonly tags?: readonly string[]
  readonly metadata?: JSONObject
  readonly parts?: readonly Part[]
  /** Was brought in from elsewhere, and is trusted so wherever the document goes. */
  readonly imported?: true
}

export interface SystemState {
  readonly last_workspace: string | null
  readonly preferences: JSONObject
}

export interface KnownEnvironment {
  readonly workspace: string | null
  /** Seconds since 1970; 0 if it was never looked at. */
  readonly last_update: number
  readonly system_snapshot: JSONObject
}

/** A session as one document that people can read, in the shape of seed 004. Fields that we do not know are kept. */
export interface ContextDocument {
  readonly schema: number
  readonly session_id: string
  /** Counts the times it was saved; missing or 0 for one that never was. */
  readonly version?: number
  /** Seconds since 1970, set when it is saved. */
  readonly updated_at?: number
  readonly system_state: SystemState
  readonly facts: readonly string[]
  readonly recent_history: readonly HistoryEntry[]
  readonly long_term_summary: string
  readonly active_tasks: readonly Task[]
  readonly tool_stats: ToolStats
  readonly last_known_environment: KnownEnvironment
  readonly token_usage: TokenUsage
  readonly plan?: Plan
  readonly notes?: readonly Note[]
}

export const NO_SYSTEM_STATE: SystemState = { last_workspace: null, preferences: {} }
export const NO_ENVIRONMENT: KnownEnvironment = { workspace: null, last_update: 0, system_snapshot: {} }

export function newDocument(session: string): ContextDocument {
  return {
    schema: DOCUMENT_SCHEMA,
    session_id: session,
    system_state: NO_SYSTEM_STATE,
    facts: [],
    recent_history: [],
    long_term_summary: '',
    active_tasks: [],
    tool_stats: NO_TOOL_STATS,
    last_known_environment: NO_ENVIRONMENT,
    token_usage: NO_TOKEN_USAGE,
  }
}
