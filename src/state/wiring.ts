import type { Redactor } from '../api/redactor.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'

/** What the state of a session needs of an open memory. */
export interface StateWiring {
  readonly store: Pick<Store, 'log' | 'state'>
  readonly log: Pick<Log, 'clock' | 'newId'>
  readonly redactor: Redactor
  /** Closing the memory waits for what was begun. */
  readonly work: { checkOpen(): void; begin<Result>(work: Promise<Result>): Promise<Result> }
}
