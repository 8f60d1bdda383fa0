import type { Notes } from '../api/state.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { RecalledItem } from '../recall/block/shown-item.ts'

/** What an agent sees of a fact. */
export interface ToolFact {
  readonly id: string
  readonly text: string
}

/** The part of a session that is used here. */
export interface LongTermSession {
  append(messages: readonly NewMessage[], options?: { readonly operationId?: string }): Promise<readonly Message[]>
  /** Only where the agent has a scratchpad. */
  readonly state?: { readonly notes: NotePad }
  recent(n: number): Promise<readonly Message[]>
  history(options: { readonly after: number; readonly limit: number }): Promise<readonly Message[]>
  search(text: string, options: { readonly limit: number }): Promise<readonly Message[]>
  reopen(
    fold: string,
    options: { readonly offset?: number },
  ): Promise<{
    readonly text: string
    readonly total: number
    readonly next: number | null
    readonly touches: readonly Pick<Message, 'role' | 'at' | 'imported'>[]
  }>
}

/** The agent's scratchpad: `session.state.notes` is one. */
export type NotePad = Pick<Notes, 'list' | 'add' | 'update'>

/** How much of what is stored cannot be found yet. */
export interface RecallBehind {
  readonly messages: number
  readonly facts?: number
}

/** The part of a scope that is used here: `memory.scope(path)` is one. */
export interface LongTermScope {
  recall(
    query: string,
    options: {
      readonly limit?: number
      readonly budget?: number
      readonly relevant?: boolean
      readonly fresh?: boolean
    },
  ): Promise<{ readonly items: readonly RecalledItem[]; readonly behind?: RecallBehind }>
  /** `channel`: who says so. An agent's notes are trusted as an agent is. */
  remember(
    facts: readonly { readonly text: string }[],
    options: { readonly channel: 'agent' },
  ): Promise<readonly ToolFact[]>
  /** Takes a fact back, so that it is no longer used. Returns its text where it is known. */
  retract(
    id: string,
    reason: string | undefined,
    options: { readonly channel: 'agent' },
  ): Promise<Partial<Pick<ToolFact, 'text'>>>
  forget(what: { readonly fact: string } | { readonly subject: string }): Promise<unknown>
  session(id: string): LongTermSession
}
