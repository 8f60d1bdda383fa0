/** How long a scope keeps its messages. */
export interface RetentionRow {
  readonly scope: string
  /** JSON text. */
  readonly policy: string
}

/** A session with messages beyond what is kept. */
export interface SessionOverdue {
  readonly scope: string
  readonly session: string
  readonly key: number
  /** Places to forget, lowest first, a bounded number. */
  readonly seqs: readonly number[]
}

export interface RetentionBounds {
  /** Messages recorded before this time. */
  readonly before?: number
  /** All but the newest so many of each session. */
  readonly keep?: number
}

/** Policies of retention, and what is beyond them. */
export interface RetentionStore {
  get(scopes: readonly string[]): Promise<readonly RetentionRow[]>
  /** Null takes it away. */
  set(scope: string, policy: string | null, at: number): Promise<void>
  list(): Promise<readonly RetentionRow[]>
  /** Scopes that have sessions, among one and those below it. */
  scopes(scope: string): Promise<readonly string[]>
  /** Sessions of one scope with messages of their own beyond the bounds, after a key. */
  overdue(
    scope: string,
    bounds: RetentionBounds,
    page: { readonly after: number; readonly sessions: number; readonly messages: number },
  ): Promise<readonly SessionOverdue[]>
}
