import { hash as digest } from 'node:crypto'
import type { Draft } from '../../domain/message.ts'

const hashes = new WeakMap<Draft, string>()

/** The SHA-256 of a message as JSON. The same objects come again in the next context, so each is read once. */
export function hashOfMessage(draft: Draft): string {
  const known = hashes.get(draft)
  if (known !== undefined) return known
  const hash = digest('sha256', JSON.stringify(draft))
  hashes.set(draft, hash)
  return hash
}

/** The digest of a list of messages: the digest of their hashes. */
export function messageDigest(messages: readonly Draft[]): string {
  return digest('sha256', messages.map(hashOfMessage).join(''))
}
