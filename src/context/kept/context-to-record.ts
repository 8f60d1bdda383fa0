import type { ContextCache, ContextOptions } from '../../api/contexts.ts'
import type { Policy } from '../../api/policy.ts'
import type { RecallItem } from '../../api/recall.ts'
import type { Address } from '../../log/log.ts'
import type { Assembled, AssembleRequest } from '../assembly/context.ts'
import type { Window } from '../window/window.ts'

/** A context that was handed out, as its record is made from it. Nothing in it changes any more. */
export interface ContextToRecord {
  readonly address: Address
  /** The moment of the queue at which it was begun: what was forgotten since may be in it. */
  readonly begun: number
  readonly window: Window
  readonly options: Omit<ContextOptions, 'policy' | 'budget'> & { readonly policy: Policy; readonly budget: number }
  /** What the marks of the policy are shares of. */
  readonly room: number
  readonly terms: Pick<AssembleRequest, 'system' | 'plan' | 'entries' | 'blocks'>
  readonly assembled: Pick<Assembled, 'messages' | 'receipt'>
  readonly cache: ContextCache
  readonly recalled: readonly RecallItem[]
}
