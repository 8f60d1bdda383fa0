import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { Operation } from '../surface/operation.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { arriving } from './arriving.ts'
import { callLibrary, fieldsFor } from './call-operation.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

/**
 * Sends an archive as it is read. The first piece is read before the response begins, so that a mistake is an error and not a torn
 * stream. A key that is revoked meanwhile gets nothing more.
 */
export async function sendArchive(call: Call, operation: Operation): Promise<Response> {
  const { signal } = call
  const pieces = (callLibrary(operation, call) as AsyncIterable<string>)[Symbol.asyncIterator]()
  const first = await pieces.next()
  async function* rest(): AsyncGenerator<string> {
    try {
      for (let next = first; next.done !== true; next = await pieces.next()) {
        // Without its last line, the archive is seen to be incomplete.
        if (signal.aborted) throw new MemoryError('server/unavailable', 'Cannot continue: the server is stopping')
        await call.checkKey()
        yield next.value
      }
    } finally {
      await pieces.return?.()
    }
  }
  return new Response(
    streamOf(rest(), () => undefined),
    { headers: { 'content-type': 'application/x-ndjson' } },
  )
}

/** Imports the body as it arrives. The next piece is read when the one before is stored, so a fast sender waits. */
export async function receiveArchive(call: Call, operation: Operation): Promise<unknown> {
  const { request, names } = call
  const type = request.headers.get('content-type') ?? ''
  if (request.body !== null && !/^application\/x-ndjson\b/.test(type))
    refuse('import', 'content-type', type, 'application/x-ndjson')
  const { given } = argumentsFrom(operation, fieldsFor(operation, call), names)
  const options = given[1] as object | undefined
  return call.memory.import(arriving(call), {
    ...options,
    ...defined({ scope: names['scope'] }),
  })
}
