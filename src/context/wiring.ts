import type { ContextEvent } from '../api/events.ts'
import type { ReadFacts } from '../blocks/with-derived.ts'
import type { Address, Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'
import type { StageRun } from './compaction/run-stages.ts'
import type { ContextMemory } from './context-memory.ts'
import type { ContextRecall } from '../api/contexts.ts'
import type { RecalledForContext } from './recalled.ts'
import type { Window } from './window/window.ts'

/** What contexts need of an open memory. */
export interface ContextWiring {
  readonly store: Pick<Store, 'log' | 'state' | 'calibrations' | 'keptContexts' | 'together'>
  readonly log: Log
  /** What contexts keep in this process between calls; made by the first one. */
  readonly contexts: { memory?: ContextMemory }
  /** A new improver for one compaction, if the memory has a model. */
  readonly improver: (() => NonNullable<StageRun['improve']>) | undefined
  /** Whether reported usage corrects token estimates. */
  readonly calibrate: boolean
  /** Compactions are used and not stored. */
  readonly readOnly: boolean
  readonly emit: (event: ContextEvent) => void
  /** For blocks that are derived from facts. */
  readonly factsOf: ReadFacts
  /** Recall is built on contexts, so it is passed in. */
  readonly recallForContext: RecallForContext
}

/** Finds what is remembered elsewhere and matters for a context. It never fails: then nothing was found. */
export type RecallForContext = (
  address: Address,
  wanted: true | ContextRecall,
  about: { readonly window: Window | undefined; readonly budget: number },
) => Promise<RecalledForContext>
