import type { StoredSession } from '../ports/log-store.ts'
import { genesisOf } from './chain.ts'
import type { Address, Log } from './log.ts'
import type { PreparedMessage } from './prepare.ts'

/** A session before its first message. It exists from its first append on. */
export function startSession(log: Log, address: Address, description: PreparedMessage | undefined): StoredSession {
  const createdAt = log.clock.now()
  const first = description?.parts[0]
  const identity = {
    scope: address.scope,
    name: address.session,
    description: first?.type === 'text' ? first.text : null,
    createdAt,
    parent: null,
  }
  const genesis = genesisOf(identity)
  return { ...identity, updatedAt: createdAt, lastSeq: 0, version: 0, genesis, head: genesis }
}
