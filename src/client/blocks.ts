import type { Blocks } from '../api/blocks.ts'
import { blockOperations, sessionBlockOperations } from '../surface/blocks.ts'
import type { RemotePlace } from './call-remote.ts'
import { remoteHandle } from './remote-handle.ts'
import type { Transport } from './transport.ts'

/** The blocks of a scope or a session, behind a server. */
export function remoteBlocks(transport: Transport, place: RemotePlace): Blocks {
  const operations = 'session' in place ? sessionBlockOperations : blockOperations
  const calls = remoteHandle<Blocks>(transport, place)(operations)
  return {
    ...calls,
    // Over HTTP a block is always an object.
    set: (name, block, options = {}) => calls.set(name, typeof block === 'string' ? { text: block } : block, options),
  }
}
