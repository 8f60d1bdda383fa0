import type { Key } from '../domain/key.ts'
import type { Keys } from '../memory/keys.ts'
import type { Transport } from './transport.ts'

/** Keys behind a server. */
export function remoteKeys(transport: Transport): Keys {
  return {
    create: (options) => transport.call('keys.create', { body: options }),
    list: async () => (await transport.call<{ keys: readonly Key[] }>('keys.list')).keys,
    revoke: (key) => transport.call('keys.revoke', { names: { key } }),
  }
}
