import type { ContextDocument, KnownEnvironment, SystemState } from '../../api/document.ts'
import { NO_TOKEN_USAGE } from '../token-usage.ts'
import { NO_TOOL_STATS } from '../tool-stats.ts'

/** What this version writes. A document that says nothing is of the first. */
export const DOCUMENT_SCHEMA = 1

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
