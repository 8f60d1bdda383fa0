import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'

/** One store, as those who use it see it. */
export interface StoreViews {
  readonly store: Store<'opened'>
  readonly searched: Store<'searchable'>
  readonly stored: LogStore<'verifiable'>
  /** Encrypts what is left of sessions after something in them was forgotten with new keys, and destroys the old ones. Needs the master key. */
  readonly reseal: ((scope: string) => Promise<void>) | undefined
}
