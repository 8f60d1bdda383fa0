import type { RecallKind, RecallLag } from '../api/recall.ts'
/** What recall finds. The numbers are stored. */
export const recallKinds = { message: 0, fold: 1, fact: 2 } as const

/** All passages of one kind in one scope, with what ranking must know about them together. */
export interface Shelf {
  readonly key: number
  readonly scope: string
  readonly kind: RecallKind
  readonly passages: number
  readonly words: number
  /** Conversations, or 1 for facts. */
  readonly threads: number
}

/** How far a session, or a scope's facts, have been posted. */
export interface RecallCursor {
  /** Changes up to this version are in the index. */
  readonly version: number
  /** Messages up to this position are in the index. */
  readonly seq: number
  /**
   * How often passages were removed or replaced, by posting or by forgetting. Whoever posts meanwhile has to begin again, and passages
   * that were read before must be read again. A change with `remove` adds 1. @default 0
   */
  readonly disturbed?: number
  /**
   * A long message is posted in several changes. While some of its passages are still missing, the place of the last one that is
   * in the index; `seq` is the message before it. @default 0
   */
  readonly unfinished?: number
}

export interface Thread extends RecallCursor {
  readonly thread: number
  /** Of all its passages. */
  readonly words: number
  /** Name of the session; `null` for facts. */
  readonly session: string | null
}

/** A term of a passage: what it weighs there in fifths, and what that makes of its score, quantised. */
export interface TermWeight {
  readonly term: string
  readonly weight: number
  readonly impact: number
}

export interface NewPassage {
  readonly place: number
  /** Of a fold or fact; empty for a message, which is found by its position. */
  readonly reference: string
  /** Folded; empty where nobody is named. */
  readonly speaker: string
  /** 0 tool to 3 system: also how far it is trusted. */
  readonly role: number
  readonly at: number
  readonly length: number
  readonly cues: number
  readonly terms: readonly TermWeight[]
}

export interface PassageRow extends Omit<NewPassage, 'terms'> {
  readonly thread: number
  readonly shelf: number
  /** Pairs: key of a term, then 256 × its weight + its impact. */
  readonly terms: Uint32Array
}

/** Changes of several threads of one shelf, written together. Each thread is changed once, all of it or not at all. */
export interface RecallChanges {
  readonly scope: string
  readonly kind: RecallKind
  readonly threads: readonly ThreadChange[]
}

export interface ThreadChange {
  readonly thread: number
  /** Nothing is written unless the cursor is still here: somebody else posted meanwhile. `null` if there is none yet. */
  readonly expected: RecallCursor | null
  readonly next: RecallCursor
  /** Places from one through another leave the index. */
  readonly remove: readonly { readonly from: number; readonly through: number }[]
  readonly add: readonly NewPassage[]
  /**
   * Keys under which vectors are kept of what comes and of what goes. What goes takes its vectors with it. Where nothing is
   * removed, what comes was never there.
   */
  readonly posted: readonly string[]
  readonly unposted: readonly string[]
}

export interface Term {
  readonly key: number
  readonly shelf: number
  readonly term: string
  /** In how many passages of the shelf it stands. */
  readonly passages: number
}

export interface Hit {
  readonly term: number
  readonly impact: number
  readonly thread: number
  readonly place: number
}

/** Part of a thread, in order of place. */
export interface PassageRange {
  readonly thread: number
  readonly from: number
  readonly through: number
}

/** How far around a place: at least so many passages on each side, or all within a distance where those are not too many more. */
export interface Reach {
  readonly passages: number
  readonly distance: number
}

/** What was said at a time, newest first. `to` is exclusive. */
export interface TimeRange {
  readonly shelf: number
  readonly from: number
  readonly to: number
  readonly limit: number
}

/**
 * An index of words, derived from the log and thrown away at will. A store keeps rows and counts; what a word is and what
 * a row is worth is decided by the caller. Keys of shelves, threads and terms come with the scopes that they belong to.
 */
export interface RecallStore {
  /** How much one change should hold, so that it pays to make it and nobody has to wait for its end. */
  readonly postingsPerChange: number
  /** Those of the scopes that have sessions or facts to post, or never had their facts posted, in the order given. */
  unposted(scopes: readonly string[]): Promise<readonly string[]>
  /** Sessions of a scope that are not posted up to their newest version. */
  behind(scope: string, limit: number): Promise<readonly { readonly key: number; readonly session: string }[]>
  /** How much is stored in these scopes and not posted. */
  lag(of: {
    readonly messages: readonly string[]
    readonly facts: readonly string[]
  }): Promise<Omit<RecallLag, 'failure'>>
  /** Names of the sessions that were forked from one. */
  forks(scope: string, session: number): Promise<readonly string[]>
  threads(scopes: readonly string[], threads: readonly number[]): Promise<readonly Thread[]>
  /** One transaction. Answers for each thread whether it was written, in their order. */
  change(changes: RecallChanges): Promise<readonly boolean[]>
  /**
   * Joins some of the small parts in which new words are stored, so that a question has few to look into. Called after changes, until
   * it returns false: there is nothing left to join. Costs nothing where the last change left few.
   */
  tidy(scope: string, kind: RecallKind): Promise<boolean>
  /** The key of a shelf, which is made if it is missing. */
  shelf(scope: string, kind: RecallKind): Promise<number>
  shelves(
    scopes: readonly string[],
  ): Promise<{ readonly shelves: readonly Shelf[]; readonly speakers: readonly string[] }>
  terms(scopes: readonly string[], shelves: readonly number[], terms: readonly string[]): Promise<readonly Term[]>
  /** Terms that have one of three parts in them, wherever: the vocabulary is read from end to end. At most a few thousand. */
  resembling(
    scopes: readonly string[],
    shelves: readonly number[],
    parts: readonly [string, string, string],
  ): Promise<readonly Term[]>
  /** In how many passages each stands, in the order asked. */
  frequencies(scopes: readonly string[], terms: readonly number[]): Promise<readonly number[]>
  /** The best hits of each term, best first, newest first among equals. */
  hits(scopes: readonly string[], terms: readonly number[], limit: number): Promise<readonly Hit[]>
  passages(
    scopes: readonly string[],
    of: PassageRange | TimeRange | { readonly thread: number; readonly reference: string },
  ): Promise<readonly PassageRow[]>
  /** Each place with its neighbours before and after: unbroken stretches in order of place, joined where they overlap. */
  around(
    scopes: readonly string[],
    places: readonly { readonly thread: number; readonly place: number }[],
    reach: Reach,
  ): Promise<readonly (readonly PassageRow[])[]>
  /** Scopes that have messages in the index, in the order of their names, after one. */
  scopes(page: { readonly after: string; readonly limit: number }): Promise<readonly string[]>
  /** What was posted in a scope, in that order. Posted again, it comes again, with a higher number. */
  posted(
    scope: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly { readonly number: number; readonly key: string }[]>
  /** Throws the whole index away. */
  clear(): Promise<void>
}
