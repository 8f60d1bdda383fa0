import type { JSONObject } from './json.ts'
import type { Part, ProviderFields } from './part.ts'

export const roles = ['system', 'user', 'assistant', 'tool'] as const

export type Role = (typeof roles)[number]

export const incompleteKinds = ['streaming', 'stopped'] as const

/** Why a message is not complete: it is being streamed or its writer crashed, or it was stopped. */
export type Incomplete = (typeof incompleteKinds)[number]

/** A message before the log gave it its place: what dialects convert from and to. */
export interface Draft {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly id?: string
  /** Who spoke: a user's, an agent's or a tool's name. */
  readonly name?: string
  readonly tags?: readonly string[]
  readonly metadata?: JSONObject
  /** ISO 8601, UTC, milliseconds. */
  readonly at?: string
  readonly provider?: ProviderFields
  /** Only the beginning of what was to be said: it is being streamed or its writer crashed, or it was stopped. */
  readonly incomplete?: Incomplete
}

/** One entry of the log, as stored. Immutable: a revision is a new row under the same `id` and `seq`. */
export interface Message extends Draft {
  readonly id: string
  /** Position in the session: 1, 2, 3, … without gaps. Order is by this, never by `at`. */
  readonly seq: number
  readonly at: string
  /** Counted once, when stored. */
  readonly tokens: number
  /** Who counted: counts of different tokenizers do not compare. */
  readonly tokenizer: string
  /** 0 as appended; n after the n-th `revise`. */
  readonly revision: number
  /** Taken out of the window by `remove` or `clear`; the log keeps it. */
  readonly removed?: true
  /** Imported from elsewhere by `import`, which alone sets it: trusted like a web page, whatever its role. */
  readonly imported?: true
}
