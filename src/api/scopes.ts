/** Which scopes to list. */
export interface ScopesOptions {
  /** Only this scope and all below it. @default every scope */
  readonly under?: string
  /** At most this many scopes. @default 100 */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** A scope that has sessions or facts. */
export interface ScopeSummary {
  /** Its path, for example `acme/ada`. */
  readonly scope: string
  /** How many sessions it has itself, without the scopes below it. */
  readonly sessions: number
  /** How many messages these sessions have. */
  readonly messages: number
  /** How many facts it has itself. */
  readonly facts: number
  /** When something in it last changed. */
  readonly updatedAt: string
}

/** A page of scopes, in the order of their paths. */
export interface ScopesPage {
  /** The scopes. */
  readonly scopes: readonly ScopeSummary[]
  /** The `after` of the next page; null on the last. */
  readonly next: string | null
}
