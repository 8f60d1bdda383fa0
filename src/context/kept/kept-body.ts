import type { ContextReceipt, FoldedLine, LeftOutLine, PlacementReason } from '../../api/contexts.ts'
import type { RecordedContext } from '../../api/kept-contexts.ts'

/** A run of messages in the log, or the hash of a text that is kept beside it. */
export type MessageReference = readonly [from: number, through: number] | string

/** Lines of messages in a row that are in the context for the same reason, with what each costs; or another line as it is. */
export type PackedLine =
  | { readonly as: PlacementReason; readonly from: number; readonly tokens: readonly number[] }
  | FoldedLine
  | LeftOutLine

/** What is kept of a context beside the numbers of its head. It may quote content. */
export interface KeptBody {
  /** Without the policy, the system text and the plan. */
  readonly options: Readonly<Record<string, unknown>>
  /** The hash of the policy, which is long and the same in most contexts. */
  readonly policy: string
  readonly references: readonly MessageReference[]
  /** The first characters of each message's hash, to find the one that differs. */
  readonly marks: string
  readonly lines: readonly PackedLine[]
  readonly receipt: Pick<ContextReceipt, 'blocks' | 'bytes' | 'repairs'>
  /** The hash of the list of what was recalled. */
  readonly recalled?: string
}

/** What is kept in the head: all that a list shows, without what has columns of its own. */
export type KeptHead = Omit<RecordedContext, 'id' | 'at'>

/** Characters of a message's hash that tell which one differs: the digest says whether one does. */
export const MARK_LENGTH = 4
