import type { IncomingMessage } from 'node:http'
import { MemoryError } from '../domain/error.ts'
import type { Arrived } from './arrived.ts'
import { tooLarge } from './read-body.ts'

/** A request as Node's server has it; `undefined` if a header is there twice, which the framework decides about. */
export function fromIncoming(incoming: IncomingMessage): Arrived | undefined {
  const headers = headersOf(incoming)
  if (headers === undefined) return undefined
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: { get: (name) => headers.get(name) ?? null },
    address: incoming.socket.remoteAddress ?? 'unknown',
    // What comes this way is read whole.
    body: null,
    get signal() {
      const gone = new AbortController()
      incoming.once('close', () => gone.abort())
      return gone.signal
    },
    read: (bytesMax) => readAll(incoming, Number(headers.get('content-length') ?? 0), bytesMax),
  }
}

function headersOf({ rawHeaders }: IncomingMessage): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.set((rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '')
  return headers.size * 2 === rawHeaders.length ? headers : undefined
}

function readAll(incoming: IncomingMessage, announced: number, bytesMax: number): Uint8Array | Promise<Uint8Array> {
  if (announced > bytesMax) throw tooLarge(announced, bytesMax)
  // While its key was read, the body of a short request arrived.
  if (incoming.complete && !incoming.destroyed && incoming.readableLength === announced && announced > 0)
    return incoming.read() as Buffer
  return new Promise((resolve, reject) => {
    let isRead = false
    const gone = (): void => {
      // Every request ends with a `close`, and making an error costs as much as reading a small body.
      if (!isRead) reject(new MemoryError('server/unavailable', 'Cannot read the request: the client disconnected'))
    }
    // Its events were emitted before anybody listened. What it had received is thrown away with it.
    if (incoming.destroyed) return gone()
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bytesMax) chunks.push(chunk)
      else reject(tooLarge(size, bytesMax))
    })
    incoming.once('end', () => {
      isRead = true
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    })
    incoming.once('error', gone)
    incoming.once('close', gone)
  })
}
