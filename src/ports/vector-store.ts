/** A vector space: vectors of different generations are never compared. */
export interface Generation {
  readonly key: number
  readonly model: string
  readonly dimensions: number
  /** The highest is the one that was chosen last, and the only one that still grows. */
  readonly rank: number
}

/** The vectors of one scope and generation, and how far they reach. */
export interface VectorSet {
  readonly key: number
  readonly scope: string
  readonly generation: Generation
  /** The position, in the order of the source, up to which every passage has its vector. */
  readonly through: number
  /** The highest number given to a vector so far. */
  readonly last: number
  /** Rises with every removal from the scope: whoever holds a copy sees that it is old. */
  readonly removals: number
  /** Has once held a vector for every passage there was: fit to take the place of an older generation. */
  readonly complete: boolean
}

/** Names a set; its scope says whose it is. */
export type SetKey = Pick<VectorSet, 'key' | 'scope'>

export interface NewVector {
  /** The key of the passage it stands for. */
  readonly passage: string
  /** Of length 1. */
  readonly values: Float32Array
}

export interface VectorRow extends NewVector {
  /** Rises with time within its set, and is never given twice. */
  readonly number: number
}

export interface VectorBatch {
  /** As it was when the passages were read. */
  readonly set: VectorSet
  readonly through: number
  readonly vectors: readonly NewVector[]
  /** Nothing is left to embed. */
  readonly complete: boolean
}

/** Where vectors are kept. Posted from passages: all of it can be thrown away and made again. */
export interface VectorStore {
  /** How vectors are searched: `process`, exactly and in this process, or the name and version of the database's own index. */
  readonly search: string
  /**
   * Makes a generation the one that grows. With no dimensions, the last one of that model; `undefined` if there is none.
   */
  choose(model: string, dimensions: number | undefined): Promise<Generation | undefined>
  /** Those of exactly these scopes, of every generation. */
  sets(scopes: readonly string[]): Promise<readonly VectorSet[]>
  /** The set of a scope, made if missing; `undefined` if another generation was chosen meanwhile. */
  begin(scope: string, generation: Generation): Promise<VectorSet | undefined>
  /**
   * Stores vectors and how far they reach, together. Writes nothing and answers `false` if the set is no longer as it
   * was: somebody else was first, or a passage was removed that might be among these.
   */
  commit(batch: VectorBatch): Promise<boolean>
  /** By number, after one or the given ones: those that there are, lowest first. */
  read(
    set: SetKey,
    which: { readonly after: number; readonly limit: number } | { readonly numbers: readonly number[] },
  ): Promise<readonly VectorRow[]>
  /**
   * The numbers of the vectors that seem nearest, by an index of the database's own; `undefined` where it has none, and
   * whoever asks compares them itself.
   */
  nearest(set: VectorSet, query: Float32Array, limit: number): Promise<readonly number[] | undefined>
  /** Those of the passages that have a vector in the set. */
  stored(set: SetKey, passages: readonly string[]): Promise<ReadonlySet<string>>
  /** The numbers that there are, after one. */
  numbers(set: SetKey, page: { readonly after: number; readonly limit: number }): Promise<readonly number[]>
  /** Takes passages out of every generation. Call it for passages without a vector too: one may be on its way. */
  remove(scope: string, passages: readonly string[]): Promise<void>
  /** Deletes a set, at most so many vectors at a time: `true` when nothing is left of it. */
  retire(set: SetKey, limit: number): Promise<boolean>
}
