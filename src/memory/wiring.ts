import type { StageRun } from '../context/compaction/run-stages.ts'
import type { ForgettingWiring } from '../forgetting/wiring.ts'
import type { Runner } from '../jobs/runner.ts'
import type { RecallWiring } from '../recall/recall.ts'
import type { ContextMemory } from './context-memory.ts'
import type { Emit } from './events.ts'
import type { Redactor } from './redact.ts'
import type { OpenWork } from './work.ts'

/** What an open memory is made of; every handle holds it. Forgetting goes everywhere, so its parts are most of them. */
export interface Wiring extends ForgettingWiring {
  readonly work: OpenWork
  /** Background work. */
  readonly runner: Runner
  /** What contexts remember, once there was one. */
  readonly contexts: { memory?: ContextMemory }
  /** A fresh improver for one compaction, if the memory has a model. */
  readonly improver: (() => NonNullable<StageRun['improve']>) | undefined
  /** Whether reported usage corrects token estimates. */
  readonly calibrate: boolean
  readonly emit: Emit
  readonly redactor: Redactor
  /** Loads what recall needs when it is first asked. */
  readonly recall: () => Promise<RecallWiring>
}
