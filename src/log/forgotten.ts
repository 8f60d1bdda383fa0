import type { AmendmentRow, MessageRow } from '../ports/log-store.ts'
import { digestAmendment, sameBytes, sha256 } from './chain.ts'

/** What a row is salted with when it is written. */
const SALT_BYTES = 16

/**
 * Whether a row is a tombstone: its place, its time and its salted digest stand, so that the chain goes on; content and salt
 * are gone, so that the digest tells nothing. A `forget` of the same session says when and why.
 */
export function isForgotten({ salt }: Pick<MessageRow, 'salt'>): boolean {
  return salt instanceof Uint8Array && salt.length === 0
}

/** Whether an amendment was written again without what was forgotten: behind its new salt stands the digest of what it says now. */
export function isRewritten({ salt }: Pick<AmendmentRow, 'salt'>): boolean {
  return salt instanceof Uint8Array && salt.length > SALT_BYTES
}

/** Whether an amendment says what was written: at first, or when it was written again. Of a tombstone nothing is left to be wrong. */
export function isSound(row: AmendmentRow): boolean {
  if (isForgotten(row)) return row.body === ''
  if (!isRewritten(row)) return sameBytes(digestAmendment(row), row.digest)
  return sameBytes(digestAmendment({ ...row, salt: row.salt.subarray(0, SALT_BYTES) }), row.salt.subarray(SALT_BYTES))
}

/** The salt of an amendment with another body. Its first digest stays, for the chain. */
export function saltOfRewritten(row: AmendmentRow, body: string, salt: Uint8Array): Uint8Array {
  return Buffer.concat([salt, digestAmendment({ ...row, body, salt })])
}

/** What a `forget` says: why, and the amendments that were written again with it, each with the digest of what it says now. */
export interface Forgetting {
  readonly reason: string
  readonly rewritten: Readonly<Record<string, string>>
}

/** The digest of a rewritten row as a `forget` has it. */
export function rewrittenDigest({ salt }: Pick<AmendmentRow, 'salt'>): string {
  return Buffer.from(salt.subarray(SALT_BYTES)).toString('hex')
}

/**
 * What stays of an id that was forgotten: enough to recognise it when somebody retries an old append or imports an old archive.
 * A state has no id: its place is `session`. A predicate has no session: its name is `id`.
 */
export function forgottenName(of: {
  readonly scope: string
  readonly session: string
  readonly kind: 'message' | 'operation' | 'state' | 'predicate'
  readonly id: string
}): string {
  return Buffer.from(sha256(JSON.stringify(['forgotten', of.scope, of.session, of.kind, of.id]))).toString('base64url')
}
