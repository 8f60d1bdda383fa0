import type { Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'

/** What records need of an open memory. */
export interface RecordsWiring {
  readonly store: Pick<Store, 'state'>
  readonly log: Pick<Log, 'clock'>
  /** Closing the memory waits for what was begun. */
  readonly work: { checkOpen(): void; begin<Result>(work: Promise<Result>): Promise<Result> }
}
