import type { Sample } from '../api/upkeep.ts'
import { checkScope } from '../domain/names.ts'
import type { Memory } from '../api/memory.ts'
import { exportRemote, importRemote } from './archive.ts'
import type { ServerConnection } from './server-connection.ts'
import { auditOperations } from '../surface/keys.ts'
import { memoryOperations } from '../surface/memory.ts'
import { remoteHandle } from './remote-handle.ts'
import { remoteJobs } from './jobs.ts'
import { remoteKeys } from './keys.ts'
import { remoteScope } from './scope.ts'
import { InTurn } from './in-turn.ts'
import { parseLink } from './parse-link.ts'
import { Transport, type TransportOptions } from './transport.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aCallback, aText, aWholeNumber } from '../shape/values.ts'

/** How a server is reached. The key may be part of the address instead. */
export type ConnectOptions = Partial<TransportOptions>

const OPTIONS: Shape<ConnectOptions> = anObject<ConnectOptions>(undefined, {
  key: mayHave(aText, 'The key'),
  fetch: mayHave(aCallback(), 'Sends a request', 'the global one'),
  retryPausesMs: mayHave(aListOf(aWholeNumber), 'How long to wait before each further try', '6 s in eight steps'),
})

/** A memory behind a server, which reads the files to import as the platform can. */
export function connectWith(importFile: ServerConnection['importFile'], url: string, options: ConnectOptions): Memory {
  OPTIONS.check('connect to a memory', '', options)
  const { base, key } = parseLink(url, options.key)
  const transport = new Transport(base, { ...options, key })
  const connection = { transport, turns: new InTurn(), importFile }
  const close = (): Promise<void> => transport.close()
  const methods = remoteHandle<Memory>(transport, {})({ ...memoryOperations, audit: auditOperations.read })
  return {
    jobs: remoteJobs(transport),
    keys: remoteKeys(transport),
    scope: (path) => {
      checkScope('open a scope', path)
      return remoteScope(connection, path)
    },
    ...methods,
    // Bytes and vectors are sent as lists of numbers.
    verifyForgotten: (receipt, samples) =>
      methods.verifyForgotten(receipt, Array.isArray(samples) ? samples.map(asNumbers) : samples),
    export: (what = {}) => exportRemote(transport, what),
    import: async (source, how = {}) => importRemote(transport, source, how),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function asNumbers(sample: Sample): Sample {
  return sample instanceof Float32Array || sample instanceof Uint8Array ? Array.from(sample) : sample
}
