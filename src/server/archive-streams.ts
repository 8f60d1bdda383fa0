import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import { arriving } from './arriving.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

/** An archive as it is read. The first piece is read before the answer begins, so that a mistake is an error and no torn stream. */
export async function sendArchive(call: Call, archive: AsyncIterable<string>): Promise<Response> {
  const { signal } = call
  const pieces = archive[Symbol.asyncIterator]()
  const first = await pieces.next()
  async function* rest(): AsyncGenerator<string> {
    try {
      for (let next = first; next.done !== true; next = await pieces.next()) {
        // Ended without its last line: whoever has it can tell.
        if (signal.aborted) throw new MemoryError('server/unavailable', 'Cannot go on: the server stops')
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

/** The body as it arrives. The next piece is taken when the one before is stored, so a fast sender waits. */
export function receivedArchive(call: Call): AsyncIterable<Uint8Array> {
  const { request } = call
  const type = request.headers.get('content-type') ?? ''
  if (request.body !== null && !/^application\/x-ndjson\b/.test(type))
    refuse('import', 'content-type', type, 'application/x-ndjson')
  return arriving(call)
}
