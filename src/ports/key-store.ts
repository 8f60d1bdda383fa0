/** A data key, wrapped by a master key. */
export interface DataKeyRow {
  /** 32 hexadecimal digits, by chance. */
  readonly id: string
  readonly scope: string
  readonly session: string
  /** What it encrypts: a session's log, with its blobs; or its state, of which a session of a name has one. */
  readonly purpose: 'content' | 'state'
  /** Names the master key that wrapped it. */
  readonly master: string
  readonly wrapped: Uint8Array
}

/**
 * Where data keys are kept, apart from what they encrypt and from its backups: so that a key that is destroyed here is
 * destroyed everywhere. Durable when a call resolves.
 */
export interface KeyStore {
  /** A second one for the same state changes nothing. */
  add(row: DataKeyRow): Promise<void>
  byId(id: string): Promise<DataKeyRow | undefined>
  ofScope(scope: string): Promise<readonly DataKeyRow[]>
  ofState(scope: string, session: string): Promise<DataKeyRow | undefined>
  /** Of a session's state and of its blocks, each of which has a key of its own. */
  ofStateAndBlocks(scope: string, session: string): Promise<readonly DataKeyRow[]>
  /** Of the state of this name in a scope and in all scopes below it. */
  ofStateBelow(scope: string, session: string): Promise<readonly DataKeyRow[]>
  /** Those that a master key wrapped, or that another did. */
  wrappedBy(master: { readonly is: string } | { readonly isNot: string }, limit: number): Promise<readonly DataKeyRow[]>
  /** The same keys, wrapped by another master key. */
  rewrap(rows: readonly Pick<DataKeyRow, 'id' | 'master' | 'wrapped'>[]): Promise<void>
  /** Nothing of them is left in it, nor of what was wrapped otherwise before. Answers with how many there were. */
  destroy(ids: readonly string[]): Promise<number>
  /** How often keys were destroyed: who finds the same number again knows that none went in between. */
  destructions(): Promise<number>
  close(): Promise<void>
}
