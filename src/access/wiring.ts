import type { Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'

/** What keys and the audit trail need of an open memory. */
export interface AccessWiring {
  readonly store: Pick<Store, 'access'>
  readonly log: Pick<Log, 'clock'>
  /** Closing the memory waits for what was begun. */
  readonly work: { checkOpen(): void; begin<Result>(work: Promise<Result>): Promise<Result> }
}
