/**
 * What a key may be allowed to do. `write` includes `propose`. Speaking as the system needs `instruct`. `admin` includes all.
 */
export const verbs = ['read', 'write', 'propose', 'instruct', 'admin'] as const

export type Verb = (typeof verbs)[number]

/** A key of the server, as listed: the key itself is shown once, when it is made, and only its hash is stored. */
export interface Key {
  readonly id: string
  /** A name for people. */
  readonly name: string
  /** The scope it is for, with all that is deeper; `null` for the whole memory. */
  readonly scope: string | null
  readonly can: readonly Verb[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** To the minute: a write for every request would cost more than the request. */
  readonly lastUsedAt: string | null
}

/** A key just made. */
export interface NewKey extends Key {
  /** Give it to the client as `Authorization: Bearer …`. It is not stored and cannot be shown again. */
  readonly token: string
}

/** Whether a key that may do these things may do that one. */
export function allows(can: readonly Verb[], wanted: Verb): boolean {
  return can.includes(wanted) || can.includes('admin') || (wanted === 'propose' && can.includes('write'))
}

/** Whether a key for one scope is good for another: its own, and what is deeper. */
export function covers(owned: string | null, scope: string): boolean {
  return owned === null || owned === scope || scope.startsWith(`${owned}/`)
}
