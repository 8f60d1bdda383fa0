import type { Log } from '../log/log.ts'
import type { Store } from '../ports/store.ts'
import type { Work } from './work.ts'

/** What an open memory is made of; every handle holds it. */
export interface Parts {
  readonly store: Store
  readonly log: Log
  readonly work: Work
}
