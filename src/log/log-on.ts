import type { Redactor } from '../api/redactor.ts'
import type { Store } from '../ports/store.ts'
import { InOrder } from './in-order.ts'
import type { Log } from './log.ts'

/** The log of a store, with what it needs from outside. */
export function logOn(
  store: Store<'opened'>,
  redactor: Redactor,
  made: Omit<Log, 'store' | 'pieces' | 'described' | 'order' | 'redact'>,
): Log {
  return {
    ...made,
    store: store.log,
    pieces: store.state,
    described: new Map(),
    order: new InOrder(),
    ...(redactor.message === undefined ? {} : { redact: (message) => redactor.message?.(message) ?? message }),
  }
}
