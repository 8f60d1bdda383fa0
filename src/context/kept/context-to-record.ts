import type { ContextCache, ContextOptions } from '../../api/contexts.ts'
import type { Policy } from '../../api/policy.ts'
import type { RecallItem } from '../../api/recall.ts'
import type { Address } from '../../log/log.ts'
import type { Assembled, AssembleRequest } from '../assembly/context.ts'
import type { Window } from '../window/window.ts'

/** What had been forgotten when a context was begun. */
export interface ContextBeginning {
  /** The moment of the queue of records: of what this process forgets. */
  readonly moment: number
  /** Of what any process forgets in the scope and above. */
  readonly forgettings: string
}

/** A context that was handed out, as its record is made from it. Nothing in it changes any more. */
export interface ContextToRecord {
  readonly address: Address
  /** Read before anything that it shows: what was forgotten since may be in it. */
  readonly begun: ContextBeginning
  readonly window: Window
  readonly options: Omit<ContextOptions, 'policy' | 'budget'> & { readonly policy: Policy; readonly budget: number }
  /** What the marks of the policy are shares of. */
  readonly room: number
  readonly terms: Pick<AssembleRequest, 'system' | 'plan' | 'entries' | 'blocks'>
  readonly assembled: Pick<Assembled, 'messages' | 'receipt'>
  readonly cache: ContextCache
  readonly recalled: readonly RecallItem[]
}
