import type { StageRun } from '../context/compaction/run-stages.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Runner } from '../jobs/runner.ts'
import type { Log } from '../log/log.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import type { RecallParts } from '../recall/recall.ts'
import type { ContextMemory } from './context-memory.ts'
import type { Emit } from './events.ts'
import type { Redactor } from './redact.ts'
import type { Turns } from './turns.ts'
import type { Work } from './work.ts'

/** What an open memory is made of; every handle holds it. */
export interface Parts {
  readonly store: Store
  readonly log: Log
  /** The log as far as its keys are at hand; the rest stays sealed. */
  readonly stored: LogStore
  readonly knowledge: Knowledge
  readonly work: Work
  /** Background work. */
  readonly runner: Runner
  /** What contexts remember, once there was one. */
  readonly contexts: { memory?: ContextMemory }
  /** A fresh improver for one compaction, if the memory has a model. */
  readonly improver: (() => NonNullable<StageRun['improve']>) | undefined
  readonly emit: Emit
  /** Ids of what this process is forgetting at this moment. */
  readonly forgetting: Set<string>
  /** Two that write the same folds again would each have to begin anew after the other. */
  readonly turns: Turns
  readonly redactor: Redactor
  /** Loads what recall needs when it is first asked. */
  readonly recall: () => Promise<RecallParts>
}
