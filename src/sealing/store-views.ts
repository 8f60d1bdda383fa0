import type { LogStore } from '../ports/log-store.ts'
import type { Store } from '../ports/store.ts'

/** A store as its different users see it. */
export interface StoreViews {
  /** As whoever reads and writes sees it: content is decrypted on its way. */
  readonly store: Store
  /** As those see it who keep copies in tables of their own: without what is encrypted. */
  readonly searched: Store
  /** The log as far as its keys are at hand; the rest stays sealed. */
  readonly stored: LogStore
  /** Encrypts with new keys what stays of sessions that something was forgotten in, and destroys the old ones. Without a master key, nobody can. */
  readonly reseal: ((scope: string) => Promise<void>) | undefined
}
