import type { JSONValue } from './json.ts'
import type { Role } from './message.ts'
import type { SourceChannel, Trust } from './trust.ts'

/** What a fact says of its subject. An entity is a node of the graph; a text is not, even when it reads the same. */
export type FactObject =
  | string
  | number
  | boolean
  | { readonly date: string }
  | { readonly json: JSONValue }
  | { readonly entity: string; readonly type?: string }

/** `current` is true now, `closed` was, `upcoming` will be; the others are kept and shown only on request. */
export type FactState = 'current' | 'closed' | 'upcoming' | 'quarantined' | 'disputed' | 'retracted'

export const factStates: readonly FactState[] = [
  'current',
  'closed',
  'upcoming',
  'quarantined',
  'disputed',
  'retracted',
]

/** Where a fact came from. Sources that taught it together have the same `evidence`, and the trust of the least of them. */
export type FactSource = {
  readonly evidence: string
  readonly trust: Trust
  /** When the fact was learned from it. */
  readonly at: string
} & (
  | { readonly type: 'message'; readonly session: string; readonly id: string; readonly role: Role }
  | { readonly type: 'fact'; readonly id: string }
  | { readonly type: 'told' | 'endorsed'; readonly channel: SourceChannel; readonly reason?: string }
)

export interface Fact {
  readonly id: string
  /**
   * The version of the knowledge in which it became what it is here, counted by the changes of the scope that was asked and its
   * ancestors. Rises with every change of the fact.
   */
  readonly revision: number
  /** Where it is kept: the scope that was asked, or one of its ancestors. */
  readonly scope: string
  /** Null for free text that is about nobody in particular. */
  readonly subject: string | null
  readonly predicate: string
  readonly object: FactObject
  /** The fact as a sentence. */
  readonly text: string
  /** When it began to be true; null if that is not known. */
  readonly validFrom: string | null
  /** When it ceased to be true; null if it has not, as far as is known. */
  readonly validTo: string | null
  /** Times in between when something else was true instead. */
  readonly except?: readonly { readonly from: string; readonly to: string }[]
  readonly learnedAt: string
  readonly retractedAt: string | null
  /** The newest sources, oldest of them first. `sourceCount` is the number of all. */
  readonly sources: readonly FactSource[]
  readonly sourceCount: number
  readonly trust: Trust
  /** From 0 to 1, as told; null if that is not known. */
  readonly confidence: number | null
  readonly tags: readonly string[]
  readonly state: FactState
  /** Why it is as it is, where somebody said: of a retraction, an endorsement, a proposal. */
  readonly reason?: string
  /** The fact that ended or narrowed its validity. */
  readonly closedBy?: string
}

/** A fact as one moment knew it. */
export interface FactVersion extends Fact {
  readonly knownFrom: string
  /** Null for what is known now. */
  readonly knownTo: string | null
}

/** What a call of `remember` did with one fact. */
export interface RememberedFact extends Fact {
  /**
   * `added`: a new row. `confirmed`: one more source for a row that was there. `restored`: retracted before, told again.
   * `disputed`: kept but not applied, since something more trusted says otherwise. `unchanged`: this source had taught it already.
   */
  readonly outcome: 'added' | 'confirmed' | 'restored' | 'disputed' | 'unchanged'
  /** Earlier values that this one closed or narrowed. */
  readonly closed: readonly string[]
  /** What stands against it, when it is disputed. */
  readonly disputedBy: readonly string[]
}
