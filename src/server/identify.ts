import { MemoryError } from '../domain/error.ts'
import type { Key } from '../domain/key.ts'
import type { Arrived } from './arrived.ts'
import { authenticate } from './middleware/authenticate.ts'
import { credentialsOf } from './middleware/credentials.ts'
import type { Service } from './service.ts'

/**
 * Whose request it is. Wrong keys are counted by address, so that guessing is slow and cannot slow down others.
 *
 * @throws {MemoryError} `access/unauthenticated`, `server/overloaded`
 */
export async function identify(
  { keys, wrongKeys, now }: Pick<Service, 'keys' | 'wrongKeys' | 'now'>,
  { headers, address }: Pick<Arrived, 'headers' | 'address'>,
  credentials: string | null = credentialsOf(headers),
): Promise<Key> {
  try {
    return await authenticate(keys, credentials, now())
  } catch (error) {
    if (MemoryError.is(error, 'access/unauthenticated')) (await wrongKeys.enter(address))()
    throw error
  }
}
