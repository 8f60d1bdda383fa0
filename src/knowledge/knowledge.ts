import type { Clock } from '../ports/clock.ts'
import type { KnowledgeStore } from '../ports/knowledge-store.ts'

/** All that the functions about facts need from outside. */
export interface Knowledge {
  readonly store: KnowledgeStore
  readonly clock: Clock
  readonly newId: () => string
}
