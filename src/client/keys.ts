import { keyOperations } from '../surface/keys.ts'
import type { Keys } from '../api/keys.ts'
import { remoteMethods } from './call-remote.ts'
import type { Transport } from './transport.ts'

/** Keys behind a server. */
export function remoteKeys(transport: Transport): Keys {
  return (remoteMethods(transport, {}, Object.values(keyOperations)) as { readonly keys: Keys }).keys
}
