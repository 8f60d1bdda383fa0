import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Runner } from '../jobs/runner.ts'
import type { Log } from '../log/log.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'
import type { WorkQueues } from '../domain/work-queues.ts'

/** What forgetting needs of an open memory: nearly all of it, since it goes everywhere. */
export interface ForgettingWiring {
  readonly store: Store
  /** The log as far as its keys are at hand; the rest stays sealed. */
  readonly stored: LogStore<'verifiable'>
  /** Encrypts with new keys what stays of sessions that something was forgotten in; `undefined` without the master key. */
  readonly reseal: ((scope: string) => Promise<void>) | undefined
  readonly log: Log
  readonly knowledge: Knowledge
  readonly runner: Pick<Runner, 'nudge'>
  /** What contexts remember, which may hold content. */
  readonly contexts: { readonly memory?: { forget(): void; readonly kept: { hold(): Promise<() => void> } } }
  /** Ids of what this process is forgetting at this moment. */
  readonly forgetting: Set<string>
  /** Two callers that rewrite the same folds would each have to start again after the other. */
  readonly queues: WorkQueues
}
