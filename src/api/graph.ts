import type { Entity } from '../domain/entity.ts'
import type { Fact } from '../domain/fact.ts'
import type { Moment } from '../domain/moment.ts'
import type { EntityInput } from '../domain/new-fact.ts'
import type { ProposalStatus } from '../domain/proposal.ts'
import type { FactOptions } from './facts.ts'

/** Which part of the graph to read. */
export interface GraphOptions extends FactOptions {
  /** Names or aliases of the entities to start from. */
  readonly around: string | readonly string[]
  /** How many relations away from them to look. @default 1 */
  readonly depth?: number
  /** At most this many facts, nearest first. @default 200 */
  readonly limit?: number
}

/** What is known around some entities. */
export interface Graph {
  /** The entities, those it started from included. */
  readonly entities: readonly Entity[]
  /** Facts about these entities and between them, in both directions. */
  readonly facts: readonly Fact[]
  /** There is more within that depth than the limit allows. */
  readonly truncated: boolean
}

/** How far to look for a path. */
export interface PathOptions extends FactOptions {
  /** At most this many relations. @default 6 */
  readonly maxDepth?: number
}

/** The shortest path between two entities. */
export interface GraphPath {
  /** Whether there is a path. */
  readonly found: boolean
  /** Both ends and the entities between them, in order. */
  readonly entities: readonly Entity[]
  /** The relations from one to the next, in either direction. */
  readonly facts: readonly Fact[]
  /** False if the search stopped before it had looked everywhere. */
  readonly complete: boolean
}

/** The moment that an entity is read at. */
export interface EntityOptions {
  /** What was known at this moment: a time, or a version of the scope's knowledge. @default now */
  readonly asOf?: Moment
}

/** Which entities to list. */
export interface EntitiesOptions extends EntityOptions {
  /** Only entities of this type. */
  readonly type?: string
  /** At most this many entities. @default 100 */
  readonly limit?: number
  /** The name of the last entity of the page before. */
  readonly after?: string
}

/** How a predicate behaves. */
export interface PredicateOptions {
  /** Whether it holds one value at a time, so that a new one closes the one before. */
  readonly single: boolean
}

/** A predicate that was declared, or is built in. */
export interface Predicate {
  /** Its name. */
  readonly name: string
  /** Whether it holds one value at a time. */
  readonly single: boolean
  /** The scope that declared it; null if it is built in. */
  readonly scope: string | null
}

/** A change to facts or entities that somebody may agree to. */
export type Suggestion =
  /** Two names of one thing: the second becomes an alias of the first. */
  | { readonly merge: readonly [into: string, from: string] }
  /** One name of two things: these facts are about the other. */
  | { readonly split: string; readonly into: EntityInput; readonly facts: readonly string[] }
  /** Facts that say the same in other words: the most trusted stays. */
  | { readonly duplicates: readonly string[] }
  /** Facts that nobody has confirmed for a long time: they are closed. */
  | { readonly stale: readonly string[] }

/** Which proposals to list. */
export interface ProposalsOptions {
  /** Only proposals with this status. */
  readonly status?: ProposalStatus
  /** At most this many proposals. @default 100 */
  readonly limit?: number
  /** The id of the last proposal of the page before. */
  readonly after?: string
}

/** What to look for when consolidating. */
export interface ConsolidateOptions {
  /** Propose to close facts that nothing has confirmed for this many days. @default 365 */
  readonly staleAfterDays?: number
  /** At most this many proposals. @default 50 */
  readonly limit?: number
}
