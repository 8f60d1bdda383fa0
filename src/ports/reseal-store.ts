/** A session, by its name and by its number: another of the same name that was begun since is not meant. */
export interface SessionPlace {
  readonly scope: string
  readonly name: string
  readonly key: number
}

/** A session that something was forgotten in, in the body of an order to forget. */
export interface Resealing extends SessionPlace {
  /** The data key that it had, once it has another. */
  readonly retired: string | null
}

/** Where sealed content stands: bodies of messages and of amendments, requests of operations. */
export type SealedKind = 'message' | 'amendment' | 'operation'

/** A row with sealed content. */
export interface SealedContent {
  /** Its sequence number, its version, or its id, by kind. */
  readonly place: number | string
  readonly seq: number
  readonly version: number
  /** Of amendments. */
  readonly kind: string | null
  readonly content: string | Uint8Array
}

export interface SealedPage {
  /** Rows that are sealed with this one are left out: what their content begins with. */
  readonly but: string | Uint8Array
  readonly after: number | string
  readonly limit: number
}

/** The same content, sealed otherwise. */
export interface Resealed {
  readonly kind: SealedKind
  readonly rows: readonly {
    readonly place: number | string
    readonly from: string | Uint8Array
    readonly to: string | Uint8Array
  }[]
  /** Those that the rows show, which are stored before them. */
  readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[]
}

/** Encrypts what stays of a session with another key. Knows where sealed content stands, and nothing of keys. */
export interface ResealStore {
  /**
   * Puts another description, which names the data key that a session is written with, in the place of the one that was seen, and
   * bodies of orders to forget in the place of theirs. All of it, or nothing and `false` if one of them is another by now.
   */
  turn(
    session: SessionPlace,
    description: { readonly from: string; readonly to: string },
    orders: readonly { readonly id: string; readonly from: string; readonly to: string }[],
  ): Promise<boolean>
  /** Sealed rows of a session's own, in the order of their places. */
  rows(session: SessionPlace, kind: SealedKind, page: SealedPage): Promise<readonly SealedContent[]>
  /** Rows that changed meanwhile stay as they are. `false`, and nothing done, if the session has another description by now. */
  replace(session: SessionPlace, description: string, resealed: Resealed): Promise<boolean>
  /** Whether a row of a session's own has content that begins so: a text for bodies, bytes for requests. */
  needs(session: SessionPlace, beginning: { readonly text: string; readonly bytes: Uint8Array }): Promise<boolean>
  /** Deletes blobs of a scope that begin so, and answers how many; at most `limit`, so that others can write in between. */
  dropBlobs(scope: string, beginning: Uint8Array, limit: number): Promise<number>
  /** An order to forget whose keys are gone goes on to the pages. */
  keysGone(scope: string, id: string, body: string): Promise<void>
}
