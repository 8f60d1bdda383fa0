import { timingSafeEqual } from 'node:crypto'
import { MemoryError } from '../../domain/error.ts'
import type { Key } from '../../domain/key.ts'
import { hashOfToken, idOfToken, keyFromRow } from '../../access/stored-key.ts'
import type { AccessStore, AccessKeyRow } from '../../ports/access-store.ts'

const USE_NOTED_MS = 60_000
const NOBODY: Uint8Array = new Uint8Array(32)

/**
 * The key of a request. Read from the store each time: a key that was revoked, here or by another process, is of no use from
 * that moment. One answer for every kind of bad key, and one comparison whether or not there is such a key.
 *
 * @throws {MemoryError} `access/unauthenticated`
 */
export async function authenticate(
  store: Pick<AccessStore, 'keyById' | 'updateKey'>,
  header: string | null,
  now: number,
): Promise<Key> {
  const token = /^Bearer (\S{1,200})$/i.exec(header ?? '')?.[1] ?? ''
  const id = idOfToken(token)
  const row = id === undefined ? undefined : await store.keyById(id)
  const same = timingSafeEqual(hashOfToken(token), row?.hash ?? NOBODY)
  if (!same || row === undefined || row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now))
    throw new MemoryError(
      'access/unauthenticated',
      'Cannot authenticate: expected a valid key, sent as "Authorization: Bearer dbk_…"',
    )
  if (!isNoted(row, now)) {
    // Beside the request and best effort: it is a hint for whoever tidies up keys.
    store
      .updateKey(row.id, (current) => (isNoted(current, now) ? current : { ...current, lastUsedAt: now }))
      .catch(() => undefined)
  }
  return keyFromRow(row)
}

/** Whether it is known that the key is in use: a write for every request would cost more than the request. */
function isNoted({ lastUsedAt }: AccessKeyRow, now: number): boolean {
  return lastUsedAt !== null && now - lastUsedAt < USE_NOTED_MS
}
