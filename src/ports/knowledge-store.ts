import type { Role } from '../domain/message.ts'
import type { ProposalKind, ProposalStatus } from '../domain/proposal.ts'
import type { Advance, LearnCursor } from './learn-store.ts'
import type { Trust } from '../domain/trust.ts'

/**
 * One version of a fact. `revision` and `until` are versions of the knowledge of its root: known from the one, until the
 * other (OPEN_END while it is known). Times are stored with OPEN_START and OPEN_END for what is not bounded.
 */
export interface FactRow {
  readonly scope: string
  readonly id: string
  readonly revision: number
  readonly until: number
  readonly recordedAt: number
  /** Key of the entity it is about; empty if about nobody in particular. */
  readonly subject: string
  readonly predicate: string
  /** Equal for objects that are the same in normal form. */
  readonly objectKey: string
  /** Key of the entity that its object is, if it is one. */
  readonly objectEntity: string | null
  /** First and last moment of its validity. */
  readonly validFrom: number
  readonly validTo: number
  readonly standing: 'held' | 'disputed' | 'retracted'
  readonly trust: Trust
  readonly learnedAt: number
  /** The version in which it was applied: later ones close earlier ones. */
  readonly applied: number
  /** JSON text. */
  readonly body: string
}

export interface EntityRow {
  readonly scope: string
  readonly key: string
  readonly revision: number
  readonly until: number
  /** JSON text. */
  readonly body: string
}

/** What a name means in a scope. */
export interface NameRow {
  readonly scope: string
  readonly name: string
  readonly entity: string
}

/** One source of a fact. Rows with the same `evidence` taught it together. */
export interface SourceRow {
  readonly fact: string
  readonly evidence: string
  /** `m:` and a session and message id, `f:` and a fact id, `t:` told, `e:` endorsed. */
  readonly source: string
  readonly trust: Trust
  /** JSON text. */
  readonly body: string
}

export interface PredicateRow {
  readonly scope: string
  readonly name: string
  readonly single: boolean
}

export interface ProposalRow {
  readonly id: string
  readonly kind: ProposalKind
  readonly status: ProposalStatus
  readonly createdAt: number
  /** Ids of the facts and keys of the entities that its body is about: forgetting one of them also forgets it. */
  readonly parts: readonly string[]
  /** JSON text. */
  readonly body: string
}

export type StoredProposal = Omit<ProposalRow, 'parts'>

/** A version of a root's knowledge, and when it came about. */
export interface VersionMark {
  readonly version: number
  readonly at: number
}

/** Which facts. Rows come in the order of their ids, oldest or newest first, at most `limit` in all. */
export interface FactQuery {
  readonly scopes: readonly string[]
  readonly by:
    | { readonly ids: readonly string[] }
    | { readonly subjects: readonly string[]; readonly predicate?: string }
    | { readonly entities: readonly string[] }
    | { readonly predicate: string }
    | { readonly objects: readonly string[] }
    | { readonly all: true }
  /** As it was known then. Absent: now. */
  readonly version?: number
  readonly where: FactFilter
  /** @default false */
  readonly newestFirst?: boolean
  /** In the order that was asked for. */
  readonly after?: string
  readonly limit: number
}

/** Bounds, inclusive; the standing is compared by name. */
export interface FactFilter {
  readonly standing: readonly [from: FactRow['standing'], to: FactRow['standing']]
  readonly trust: readonly [from: number, to: number]
  /** `validFrom` is at most the first, and `validTo` is more than the second. */
  readonly valid: readonly [begunBy: number, notOverBy: number]
}

/** The last change that a reader has seen: of one version, in the order of ids. */
export interface ChangeCursor {
  readonly version: number
  readonly id: string
}

/** What may be asked, each with what it takes. Versions that are absent mean now. */
export interface KnowledgeQuestions {
  /** The newest version of a root, or the newest by a time. */
  readonly mark: { readonly root: string; readonly at?: number }
  /** The version that the nth change of these scopes of one root made, counted from 1. */
  readonly nthMark: { readonly scopes: readonly string[]; readonly nth: number }
  /** How many changes of these scopes of one root there were up to each version. */
  readonly changeCounts: { readonly scopes: readonly string[]; readonly versions: readonly number[] }
  readonly facts: FactQuery
  /** Known facts of some subjects with one predicate that end after a time, in no order. With `object`, the `limit` last to end of each. */
  readonly slot: {
    readonly scopes: readonly string[]
    readonly subjects: readonly string[]
    readonly predicate: string
    readonly object?: string
    readonly endingAfter: number
    /** @default all */
    readonly limit?: number
  }
  /** The newest `limit` versions, oldest of them first. */
  readonly history: { readonly scope: string; readonly fact: string; readonly limit: number }
  /** The newest `limit` sources of each fact, oldest of them first, with the number of all. */
  readonly sources: {
    readonly facts: readonly { readonly scope: string; readonly id: string }[]
    readonly version?: number
    readonly limit: number
  }
  /** Rows of facts that a source is known to have taught; for one that ends with a comma or a bracket, all that begin so. */
  readonly taught: { readonly scope: string; readonly source: string }
  /** Scopes below one in which a source is known to have taught something, in the order of their paths. */
  readonly taughtBelow: { readonly scope: string; readonly source: string }
  /** Scopes below one in which facts with a predicate are disputed, in the order of their paths. */
  readonly disputedBelow: { readonly scope: string; readonly predicate: string }
  readonly names: { readonly scopes: readonly string[]; readonly names: readonly string[]; readonly version?: number }
  readonly namesOf: {
    readonly scopes: readonly string[]
    readonly entities: readonly string[]
    readonly version?: number
  }
  readonly entities: { readonly scopes: readonly string[]; readonly keys: readonly string[]; readonly version?: number }
  readonly entityPage: {
    readonly scopes: readonly string[]
    readonly after: string
    readonly limit: number
    readonly version?: number
  }
  /** In whatever session of the scopes they are. */
  readonly messages: { readonly scopes: readonly string[]; readonly id: string }
  readonly predicates: { readonly scopes: readonly string[] }
  /** How far a session was learned from. */
  readonly learned: { readonly session: number }
  readonly proposal: { readonly scope: string; readonly id: string }
  readonly proposals: {
    readonly scope: string
    readonly status: ProposalStatus | undefined
    readonly after: string
    readonly limit: number
  }
  /** The newest versions of facts that changed after a cursor, oldest first. */
  readonly changed: { readonly scope: string; readonly after: ChangeCursor; readonly limit: number }
  /** Facts that were destroyed after a cursor, oldest first. */
  readonly forgotten: { readonly scope: string; readonly after: ChangeCursor; readonly limit: number }
  /** Facts that in any version are about these entities. */
  readonly everAbout: { readonly scope: string; readonly entities: readonly string[] }
  /** How many rows there are to destroy. */
  readonly weight: { readonly scope: string; readonly facts: readonly string[]; readonly entities: readonly string[] }
}

export interface SourcesOfFact {
  readonly fact: string
  readonly count: number
  readonly rows: readonly SourceRow[]
}

export interface Weight {
  readonly versions: number
  readonly sources: number
  readonly entities: number
  readonly proposals: number
}

/** What is answered to each question. */
export interface KnowledgeAnswers {
  readonly mark: VersionMark | undefined
  readonly nthMark: VersionMark | undefined
  readonly changeCounts: readonly number[]
  readonly facts: readonly FactRow[]
  readonly slot: readonly FactRow[]
  readonly history: readonly FactRow[]
  readonly sources: readonly SourcesOfFact[]
  readonly taught: readonly { readonly fact: string; readonly evidence: string; readonly source: string }[]
  readonly taughtBelow: readonly string[]
  readonly disputedBelow: readonly string[]
  readonly names: readonly NameRow[]
  readonly namesOf: readonly NameRow[]
  readonly entities: readonly EntityRow[]
  readonly entityPage: readonly EntityRow[]
  /** `body` is the one that was appended: what a message was brought in as, no revision changes. */
  readonly messages: readonly {
    readonly scope: string
    readonly session: string
    readonly role: Role
    readonly body: string
  }[]
  readonly predicates: readonly PredicateRow[]
  readonly learned: LearnCursor
  readonly proposal: StoredProposal | undefined
  readonly proposals: readonly StoredProposal[]
  readonly changed: readonly FactRow[]
  readonly forgotten: readonly { readonly fact: string; readonly version: number }[]
  readonly everAbout: readonly string[]
  readonly weight: Weight
}

export type KnowledgeQuestion = {
  readonly [Of in keyof KnowledgeQuestions]: { readonly of: Of } & KnowledgeQuestions[Of]
}[keyof KnowledgeQuestions]

/**
 * A thought that asks the store as it goes: each question is yielded and its answer comes back; a list of questions travels
 * together, and their answers come as a list. A generator, so that a
 * store may answer at once or after a round trip. Pure otherwise: it may be begun again when a transaction has to be.
 */
export type Asking<Result> = Generator<KnowledgeQuestion | readonly KnowledgeQuestion[], Result, unknown>

/** What to write, all of it or nothing. */
export interface KnowledgeWrite {
  readonly root: string
  readonly scope: string
  readonly mark: VersionMark
  /** Each ends the version that was known until now. */
  readonly facts: readonly FactRow[]
  readonly entities: readonly EntityRow[]
  /** Keys of entities that the scope has no word of its own on any more. */
  readonly droppedEntities: readonly string[]
  /** Null: the name means nothing any more. */
  readonly names: readonly { readonly name: string; readonly entity: string | null }[]
  readonly sources: readonly SourceRow[]
  readonly droppedSources: readonly { readonly fact: string; readonly evidence: string }[]
  readonly predicates: readonly { readonly name: string; readonly single: boolean }[]
  /** New, or in place of the one with the same id. */
  readonly proposals: readonly ProposalRow[]
  /** To be destroyed with every version there ever was. Only the ids of the facts stay. */
  readonly forget: { readonly facts: readonly string[]; readonly entities: readonly string[] } | undefined
}

export interface KnowledgeDecision<Answer> {
  readonly answer: Answer
  readonly write?: KnowledgeWrite
  /** Of deeper scopes, each a version of its own, in the same transaction. */
  readonly below?: readonly KnowledgeWrite[]
  /** Moves the cursor of a session that was learned from, in the same transaction. */
  readonly learned?: Advance
}

/** What is known, in versions. All decisions are made by the caller; a store only reads and writes rows. */
export interface KnowledgeStore {
  /** Answers all questions of a scope, its ancestors and what lies below, from one state of the database. */
  read<Answer>(scope: string, asking: () => Asking<Answer>): Promise<Answer>
  /** Asks, decides and writes in one transaction. Resolves when the rows would survive a power cut. */
  change<Answer>(scope: string, deciding: () => Asking<KnowledgeDecision<Answer>>): Promise<Answer>
}
