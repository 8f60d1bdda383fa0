/** Whose contexts they are. */
export interface KeptPlace {
  readonly scope: string
  readonly session: string
}

/** What a list of contexts needs of one; it quotes nothing. */
export interface KeptContextHead {
  /** Rises with time. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** JSON text. */
  readonly head: string
}

/** One context, as it is kept. */
export interface KeptContextRow extends KeptContextHead {
  /** Of the session's log when it was built. */
  readonly version: number
  /** Whether it shows what belongs to others: recalled text, or blocks. Forgetting anything in its scope takes it. */
  readonly borrowed: boolean
  /** JSON text, which may quote content. */
  readonly body: string
}

/** A text that contexts of a session show and that is not in its log, kept once. */
export interface KeptText {
  readonly hash: string
  readonly borrowed: boolean
  /** JSON text. */
  readonly body: string
}

export interface NewKeptContext extends KeptPlace {
  /** Of the session. */
  readonly key: number
  /** As `forgettings` gave it before anything of the context was read. */
  readonly forgettings: string
  readonly row: KeptContextRow
  readonly texts: readonly KeptText[]
}

/** Contexts that were built, for a while: records of what was sent, from which nothing else is made. */
export interface KeptContextStore {
  /** A text that changes whenever something is forgotten in a scope or in one of its ancestors. */
  forgettings(scope: string): Promise<string>
  /**
   * One transaction. Leaves out a context of a session that is gone, or in which something was forgotten since; and one that shows what
   * belongs to others, if something was forgotten in its scope or above. Returns the scopes of these last ones.
   */
  keep(contexts: readonly NewKeptContext[]): Promise<readonly string[]>
  /** Newest first, of those that were built at `since` or later. */
  list(
    place: KeptPlace,
    page: { readonly since: number; readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly KeptContextHead[]>
  read(place: KeptPlace, id: string): Promise<KeptContextRow | undefined>
  texts(place: KeptPlace, hashes: readonly string[]): Promise<readonly KeptText[]>
  /** Deletes some of what was built before, in every scope. Whether there may be more. */
  expire(before: number): Promise<boolean>
}
