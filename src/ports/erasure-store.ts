import type { SampleFound } from '../api/upkeep.ts'
import type { AmendmentRow, SessionHead } from './log-store.ts'
import type { SessionPlace } from './reseal-store.ts'

/** A fact that was ever taught by something, with the entities it speaks of. */
export interface LearnedFact {
  readonly scope: string
  readonly id: string
  readonly subject: string
  readonly objectEntity: string | null
}

/** What is to be taken out of one session. */
export interface SessionErasure {
  readonly key: number
  readonly scope: string
  readonly name: string
  /** Everything, the session itself included; or the messages at these places, its own and inherited ones. */
  readonly what: 'all' | readonly number[]
  /** Those of the places whose rows it holds itself. */
  readonly own: readonly number[]
  /**
   * The newest compaction or forgetting that was seen when the folds were written again. A compaction that came since is not among
   * them; after another forgetting they would bring back what that one took out.
   */
  readonly foldsThrough: number
  /** Stands in the place of the session's description, where its first message is forgotten: that one says the same. */
  readonly description?: string | null
  /** The description as it stood when what is written here was sealed: a session that got another key since would not be read with this one. */
  readonly sealedAs?: string
  /** Amendments that are written again without what is forgotten. */
  readonly rewrite: readonly { readonly version: number; readonly body: string; readonly salt: Uint8Array }[]
}

/** One piece of forgetting, all of it in one transaction. */
export interface Erasure {
  /** The id of its row in the list of unfinished work. */
  readonly id: string
  readonly at: number
  readonly reason: string
  readonly scope: string
  /** Sessions after those they were forked from. */
  readonly sessions: readonly SessionErasure[]
  /** Facts that leave the index, as far as they are gone. */
  readonly facts: readonly { readonly scope: string; readonly id: string }[]
  /** Sources whose rows go, as facts name them. One that ends in a comma stands for all that begin with it. */
  readonly sources: readonly string[]
  /** Entities that go if nothing speaks of them any more. */
  readonly entities: readonly { readonly scope: string; readonly key: string }[]
  /** The `forget` rows of a session, and what the session is after them. Pure. */
  amend(
    head: SessionHead,
    erasure: SessionErasure,
  ): {
    readonly rows: readonly AmendmentRow[]
    readonly session: SessionHead
  }
  /** Of content that is encrypted. */
  readonly keys?: {
    /** Data keys that are destroyed already. */
    readonly destroyed: number
    /** Sessions that go on and whose data keys have to go too: they get others. */
    readonly resealing: readonly SessionPlace[]
  }
  /** What stays of an id; of a state, which has none, what stays of its place. */
  nameOf(session: string, kind: 'message' | 'operation' | 'state', id: string): string
}

/** Rows that were destroyed, by kind, and the bytes of their content. */
export interface ErasureCounts {
  readonly messages: number
  readonly revisions: number
  readonly folds: number
  readonly passages: number
  readonly terms: number
  readonly vectors: number
  readonly blobs: number
  readonly operations: number
  readonly jobs: number
  readonly sources: number
  readonly entities: number
  readonly state: number
  /** Data keys that are destroyed, and those that will be once nothing needs them. */
  readonly keys: number
  readonly bytes: number
}

/** Forgetting that was begun: what is left to do of it. */
export interface ErasureRow {
  readonly id: string
  readonly scope: string
  /**
   * `content`: everything. `answers`: those that a server keeps for retries, which may quote anything. `keys`: what stays of the
   * sessions is encrypted again, and the data keys that they had are destroyed. `pages`: only what the database itself still
   * keeps of deleted rows.
   */
  readonly stage: 'content' | 'answers' | 'keys' | 'pages'
  /** JSON text: what was asked for; once the content is gone, how much it was, and as `resealing` the sessions that get other keys. */
  readonly body: string
  readonly at: number
}

/** What a scope has that is forgotten one by one. `state` is a session without messages, a block of the scope or a collection. */
export type ScopeContent = 'session' | 'state' | 'entity' | 'fact'

/** Where one of them is. An entity is named by its key. */
export interface ContentPlace {
  readonly scope: string
  readonly name: string
}

/** A sample in one form, as bytes to look for. */
export interface SamplePattern {
  readonly sample: number
  readonly form: string
  /** At least four. */
  readonly bytes: Uint8Array
}

/** Destroys rows of every kind. What is to go is decided before; a store only finds, blanks and deletes. */
export interface ErasureStore {
  /** A session with every session that was forked from it, directly or not: each after the one it came from. */
  family(scope: string, session: string): Promise<readonly SessionHead[]>
  /** Facts of a scope and deeper that these sources ever taught, also through other facts, and those sources that did. A source that ends in a comma stands for all that begin with it. */
  taught(
    scope: string,
    sources: readonly string[],
  ): Promise<{ readonly facts: readonly LearnedFact[]; readonly sources: readonly string[] }>
  /** What there is of one kind in a scope and in those below, in order, after a place. Facts of every version count. */
  contents(
    kind: ScopeContent,
    scope: string,
    page: { readonly after: ContentPlace; readonly limit: number },
  ): Promise<readonly ContentPlace[]>
  /** Deletes the proposals and predicates of a scope and of those below, whose facts are gone. Returns how many proposals there were. Hashes of the predicates stay, as those of states do. */
  eraseDefinitions(scope: string, hashOf: (scope: string, predicate: string) => string): Promise<number>
  begin(row: ErasureRow): Promise<void>
  unfinished(): Promise<readonly ErasureRow[]>
  /**
   * `undefined`, and nothing done, if what has to go is not what was planned: a session was compacted or forked since, something
   * else was forgotten in it, or somebody learned from it.
   */
  erase(erasure: Erasure): Promise<ErasureCounts | undefined>
  /** Empties the answers that a server keeps for retries, and says how many. To be called after `erase`, as often as needed. */
  blankAnswers(id: string): Promise<number>
  /**
   * Makes the database delete what it keeps of deleted rows; answers whether it has done so for all of these erasures,
   * within a bounded time. Where it needs longer, it may be asked again.
   */
  scrub(erasures: readonly string[]): Promise<boolean>
  finish(id: string): Promise<void>
  /** On a full disk: releases room that was kept for forgetting. Returns whether there was any. */
  makeRoom(): Promise<boolean>
  /** Looks for bytes in every table, and in every byte of the files where there are files. */
  search(patterns: readonly SamplePattern[]): Promise<readonly SampleFound[]>
}
