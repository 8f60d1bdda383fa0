/** Whose state it is. It may be written before the session's first message, so it hangs on the names. */
export interface StatePlace {
  readonly scope: string
  readonly session: string
}

/**
 * Values by key, and the agent's notes; of a collection of records, their heads, contents and parts. Name spaces under one count of
 * versions. A block has a place of its own, and so has a message that is being streamed, for its pieces.
 */
export type StateSection = 'value' | 'note' | 'block' | 'record' | 'body' | 'part' | 'piece'

/** What a key was set to, from a version on. */
export interface StateRow {
  readonly key: string
  readonly version: number
  /** Milliseconds since 1970; never before the version before. */
  readonly at: number
  /** JSON text; `null` where the key was deleted. */
  readonly value: string | null
}

/** How often a session's state was changed, and when last. */
export interface StateHead {
  readonly version: number
  readonly at: number
}

export interface StateQuery {
  readonly section: StateSection
  /** @default every key */
  readonly key?: string
  readonly asOf?: { readonly version: number } | { readonly time: number }
}

/** Whose blocks to read: of these owners in each scope; an empty owner is the scope itself. */
export interface BlockOwner {
  readonly scope: string
  readonly owner: string
}

/** Current rows of a section in the order of their keys. Bounds are compared byte by byte, in UTF-8. */
export interface StateRange {
  readonly section: StateSection
  /** From this key. */
  readonly from: string
  /** Before this key. */
  readonly to: string
  /** After this key. */
  readonly after: string
  readonly limit: number
  readonly descending: boolean
}

/** What is written next in place of what is there, all under one new version; nothing if there is neither. */
export interface StateReplacement<Answer> {
  readonly answer: Answer
  readonly at: number
  /** Rows from one key to before another that go first. */
  readonly clears: readonly Pick<StateRange, 'section' | 'from' | 'to'>[]
  /** `null` deletes. */
  readonly writes: readonly { readonly section: StateSection; readonly key: string; readonly value: string | null }[]
}

/** What is written next, all under one new version; nothing if `rows` is empty. */
export interface StateDecision<Answer> {
  readonly answer: Answer
  readonly at: number
  readonly rows: readonly { readonly key: string; readonly value: string | null }[]
}

/** Tools as counted from the log, through a message. */
export interface ToolCounts {
  /** The session's own key in the log: one that was made again under the same name is counted again. */
  readonly log: number
  readonly through: number
  /** JSON text. */
  readonly counts: string
}

/** The working documents of sessions, with every version they had. */
export interface StateStore {
  /** Rows that hold then, deleted ones left out, with the version that the whole had. */
  read(place: StatePlace, query: StateQuery): Promise<{ readonly version: number; readonly rows: readonly StateRow[] }>
  /** Every version of one key, newest first, deletions too. */
  history(
    place: StatePlace,
    query: {
      readonly section: StateSection
      readonly key: string
      readonly before: number
      readonly limit: number
    },
  ): Promise<readonly StateRow[]>
  /** One transaction. `decide` is pure and may run more than once; it gets the rows of those keys that hold. */
  change<Answer>(
    place: StatePlace,
    on: { readonly section: StateSection; readonly keys: readonly string[] },
    decide: (head: StateHead, rows: ReadonlyMap<string, StateRow>) => StateDecision<Answer>,
  ): Promise<Answer>
  /** The blocks of each owner, in their order, that hold now or held at a time. */
  blocks(
    owners: readonly BlockOwner[],
    asOf?: number,
  ): Promise<readonly (BlockOwner & { readonly rows: readonly StateRow[] })[]>
  /** Ranges as of one moment. */
  range(place: StatePlace, ranges: readonly StateRange[]): Promise<readonly (readonly StateRow[])[]>
  /** The same as `change`, without a history: what a key had before is gone. */
  replace<Answer>(
    place: StatePlace,
    on: { readonly section: StateSection; readonly keys: readonly string[] },
    decide: (head: StateHead, rows: ReadonlyMap<string, StateRow>) => StateReplacement<Answer>,
  ): Promise<Answer>
  /** How far tools were counted. */
  toolCounts(place: StatePlace): Promise<ToolCounts | undefined>
  /** A count that is behind the one that is kept changes nothing. */
  keepToolCounts(place: StatePlace, counts: ToolCounts): Promise<void>
  /** Throws away what can be counted again from the log. */
  clearToolCounts(): Promise<void>
  /** Sessions of a scope that have state and no message, in the order of their names. */
  sessions(
    scope: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly session: string; readonly createdAt: number; readonly at: number }[]>
  /** How many rows `forget` would destroy, of a session with its blocks. */
  count(place: StatePlace): Promise<number>
  /**
   * Destroys a session's state and its blocks, or one block, with the whole history. Returns how many rows there were. If there was
   * anything, `hash` stays, so that an import leaves it out: see `forgottenStateName`. Without one, as for pieces that are no longer
   * needed, nothing stays.
   */
  forget(place: StatePlace, hash?: string): Promise<number>
}
