import type { Key, NewKey, Verb } from '../domain/key.ts'

/** What a new key is for. */
export interface NewKeyOptions {
  /** The scope it is for, with all scopes below; null for the whole memory. */
  readonly scope: string | null
  /** What the key may do. */
  readonly can: readonly Verb[]
  /** A name for people. @default 'unnamed' */
  readonly name?: string
  /** When it stops working. @default never */
  readonly expiresAt?: Date | string | number | null
}

/** Which entries of the audit trail to read. */
export interface AuditOptions {
  /** At most this many entries, up to 1,000. @default 100 */
  readonly limit?: number
  /** Only entries before this number: the last one of the page before. */
  readonly before?: number
}

/** The keys of a server on this memory. */
export interface Keys {
  /** Makes a key. Its token is in this result and nowhere else. */
  create(options: NewKeyOptions): Promise<NewKey>
  /** Lists the keys, oldest first, with those that expired or were revoked. */
  list(): Promise<readonly Key[]>
  /** Revokes a key. It stops working at once. Revoking twice is fine. @throws {MemoryError} `access/not-found` */
  revoke(id: string): Promise<Key>
}
