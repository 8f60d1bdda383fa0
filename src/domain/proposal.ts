import type { Entity } from './entity.ts'
import type { Fact } from './fact.ts'

export type ProposalKind = 'merge' | 'split' | 'duplicates' | 'stale'
export type ProposalStatus = 'open' | 'applied' | 'reverted'

/** A change that nobody made yet: what it would do, fact by fact. */
export interface Proposal {
  readonly id: string
  readonly kind: ProposalKind
  readonly status: ProposalStatus
  readonly reason: string
  readonly createdAt: string
  readonly facts: readonly { readonly before: Fact; readonly after: Fact }[]
  /** Null: it does not exist then. */
  readonly entities: readonly { readonly before: Entity | null; readonly after: Entity | null }[]
}
