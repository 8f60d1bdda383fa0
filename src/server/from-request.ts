import type { Arrived } from './arrived.ts'
import { readBytes } from './read-body.ts'

/** What Node's server adds to a request. */
export interface NodeEnv {
  readonly incoming?: { readonly url?: string; readonly socket?: { readonly remoteAddress?: string } }
}

/** A request of the Fetch API. */
export function fromRequest(request: Request, env: NodeEnv | undefined): Arrived {
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    address: env?.incoming?.socket?.remoteAddress ?? 'unknown',
    get body() {
      return request.body as ReadableStream<Uint8Array> | null
    },
    get signal() {
      return request.signal
    },
    read: (bytesMax) => readBytes(request, bytesMax),
  }
}
