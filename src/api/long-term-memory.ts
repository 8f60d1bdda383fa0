import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { Tool } from './tool.ts'

export interface LongTermOptions {
  /** The conversation that is recorded, and that `search_history` and `reopen` read. */
  readonly session: string
  /**
   * Who uses the memory: the loop, before and after each reply (`static`), the agent through its tools (`agent`), or `both`.
   *
   * @default 'both'
   */
  readonly mode?: 'static' | 'agent' | 'both'
  /** Tokens that recalled text may cost. @default 1,000 */
  readonly budget?: number
  /** How long a request waits for recall, in milliseconds, before it is sent without. @default 2,000 */
  readonly deadlineMs?: number
  /** Also gives the agent a scratchpad in this session: `add_note`, `list_notes`, `update_note`, `finish_note`. @default false */
  readonly notes?: boolean
  /** Also gives the agent `forget`, which destroys what is remembered, without asking anybody. @default false */
  readonly allowDestroy?: boolean
  /** Is called with the reason when nothing could be retrieved. The request does not fail because of it. */
  readonly onError?: (error: unknown) => void
}

/** Long-term memory in an agent's loop: `augment` before the model is called, `record` after, `tools` for the agent itself. */
export interface LongTermMemory {
  readonly mode: 'static' | 'agent' | 'both'

  /**
   * Stores what is new among these messages: you may pass the whole conversation each time, with another system prompt or with
   * shortened results. A message or a turn that is passed alone is always stored. Recalled text is left out. With an
   * `operationId`, the messages are taken as they are, and the same call again stores nothing.
   */
  record(messages: readonly NewMessage[], options?: { readonly operationId?: string }): Promise<readonly Message[]>

  /**
   * Returns what is remembered about a message, as a block for a model; empty if there is nothing, or not in time.
   *
   * @param shown What the request shows anyway, so that it is not repeated.
   */
  retrieve(message: NewMessage | string, shown?: readonly NewMessage[]): Promise<string>

  /**
   * Returns the messages of a request with what is remembered, right after the newest user message, as a message of its own that is
   * never stored. Returns the same array if there is nothing to add.
   */
  augment(messages: readonly NewMessage[]): Promise<readonly NewMessage[]>

  /** Returns the block that `augment` adds, recalled once for all requests of a turn; empty if there is nothing to add. */
  recallFor(messages: readonly NewMessage[]): Promise<string>

  /** Returns the tools for the agent itself; none in mode `static`. */
  tools(): readonly Tool[]
}
