import type { Redactor } from '../api/redactor.ts'
import type { Runner } from '../jobs/runner.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'
import type { Posting } from '../recall/posting.ts'

/** What archives, imports and backups need of an open memory. */
export interface ArchiveWiring {
  readonly store: Store
  readonly log: Log
  readonly knowledge: Knowledge
  readonly redactor: Redactor
  readonly runner: Pick<Runner, 'nudge'>
  readonly posting: Pick<Posting, 'soon'>
  /** Closing the memory waits for what was begun. */
  readonly work: { checkOpen(): void; begin<Result>(work: Promise<Result>): Promise<Result> }
}
