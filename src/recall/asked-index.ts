import type { RecallStore } from '../ports/recall-store.ts'

/** The index as a question sees it: of its scope and the ancestors of that. */
export interface AskedIndex {
  readonly store: RecallStore
  readonly scopes: readonly string[]
}
