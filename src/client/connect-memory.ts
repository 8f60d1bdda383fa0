import { checkOptions } from '../domain/check-options.ts'
import { checkScope } from '../domain/names.ts'
import type { Memory } from '../memory/memory.ts'
import { exportRemote, importRemote } from './archive.ts'
import { auditOperations } from '../surface/keys.ts'
import { remoteMethods } from './call-remote.ts'
import { remoteJobs } from './jobs.ts'
import { remoteKeys } from './keys.ts'
import { remoteScope } from './scope.ts'
import { InTurn } from './in-turn.ts'
import { parseLink } from './parse-link.ts'
import { Transport, type TransportOptions } from './transport.ts'

/** How a server is reached. The key may be part of the address instead. */
export type ConnectOptions = Partial<TransportOptions>

/**
 * A memory behind a server, with the same methods as one in a file: `connectMemory('http://127.0.0.1:3773', { key })`. The link
 * that `daybook serve` prints contains the key. Sends nothing until a method is called.
 */
export function connectMemory(url: string, options: ConnectOptions = {}): Memory {
  checkOptions('connect to a memory', options, ['key', 'fetch', 'retryPausesMs'])
  const { base, key } = parseLink(url, options.key)
  const transport = new Transport(base, { ...options, key })
  const turns = new InTurn()
  const close = (): Promise<void> => transport.close()
  return {
    jobs: remoteJobs(transport),
    keys: remoteKeys(transport),
    scope: (path) => {
      checkScope('open a scope', path)
      return remoteScope(transport, turns, path)
    },
    verify: () => transport.call('memory.verify'),
    verifyForgotten: (receipt, samples) =>
      transport.call('memory.verifyForgotten', {
        body: { receipt, samples: samples.map((sample) => (typeof sample === 'string' ? sample : Array.from(sample))) },
      }),
    ...(remoteMethods(transport, {}, Object.values(auditOperations)) as Pick<Memory, 'audit'>),
    settled: () => transport.call('memory.settled'),
    rebuild: async () => {
      await transport.call('memory.rebuild')
    },
    export: (what = {}) => exportRemote(transport, what),
    import: async (source, how = {}) => importRemote(transport, source, how),
    backup: async (file) => transport.call('memory.backup', { body: { file } }),
    schema: () => transport.call('memory.schema'),
    stats: () => transport.call('memory.stats'),
    close,
    [Symbol.asyncDispose]: close,
  }
}
