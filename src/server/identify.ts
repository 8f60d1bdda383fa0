import type { Context as HonoContext } from 'hono'
import { MemoryError } from '../domain/error.ts'
import type { Key } from '../domain/key.ts'
import { authenticate } from './middleware/authenticate.ts'
import { credentialsOf } from './middleware/credentials.ts'
import type { Service } from './service.ts'

/**
 * Whose request it is. Wrong keys are counted by address, so that guessing is slow and cannot slow down others.
 *
 * @throws {MemoryError} `access/unauthenticated`, `server/overloaded`
 */
export async function identify(
  { store, strangers, now }: Pick<Service, 'store' | 'strangers' | 'now'>,
  context: HonoContext,
  credentials: string | null = credentialsOf(context.req.raw.headers),
): Promise<Key> {
  try {
    return await authenticate(store, credentials, now())
  } catch (error) {
    if (MemoryError.is(error, 'access/unauthenticated')) (await strangers.enter(addressOf(context)))()
    throw error
  }
}

function addressOf(context: HonoContext): string {
  const env = context.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return env?.incoming?.socket?.remoteAddress ?? 'unknown'
}
