/** How far a session was learned from: its version then, and its last message. */
export interface LearnCursor {
  readonly version: number
  readonly seq: number
}

/** A session with something that nobody learned from yet. */
export interface SessionBehind {
  readonly key: number
  readonly scope: string
  readonly session: string
  readonly version: number
}

/** A step of the cursor. It is taken with what was learned, in one transaction, if the cursor still stands at `from`. */
export interface Advance {
  /** The session's key. */
  readonly session: number
  /** The version it was read at; 0 where nothing was learned before. */
  readonly from: number
  readonly to: LearnCursor
}

/** Which sessions were learned from, and how far. The log says what there is to learn; this only says what was done. */
export interface LearnStore {
  /** Sessions that are behind, among those with these keys. An answer may be empty and have others after it. */
  behind(keys: { readonly after: number; readonly through: number }): Promise<readonly SessionBehind[]>
  /** The session, if it is behind. */
  behindOne(scope: string, session: string): Promise<SessionBehind | undefined>
  learned(session: number): Promise<LearnCursor>
}
