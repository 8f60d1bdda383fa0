import type { Keys } from '../api/keys.ts'
import { keyOperations } from '../surface/keys.ts'
import { remoteHandle } from './remote-handle.ts'
import type { Transport } from './transport.ts'

/** Keys behind a server. */
export function remoteKeys(transport: Transport): Keys {
  return remoteHandle<Keys>(transport, {})(keyOperations)
}
