import { MemoryError } from '../domain/error.ts'
import { readImageSize } from '../domain/image-size.ts'
import { quote } from '../domain/refuse.ts'
import { messageOperations } from '../surface/messages.ts'
import { callLibrary } from './call-operation.ts'
import type { Call } from './route.ts'

/**
 * Sends the bytes of a blob. Their type is what the bytes are, never what a message says: an image of pixels, or bytes to download. So
 * stored content is never a page, and a browser that is led here runs nothing.
 */
export async function sendBlob(call: Call): Promise<Response> {
  const bytes = (await callLibrary(messageOperations.blob, call)) as Uint8Array<ArrayBuffer> | undefined
  if (bytes === undefined) {
    const { hash = '' } = call.names
    throw new MemoryError('log/not-found', `Cannot read a blob: found none with the hash ${quote(hash)}`, { hash })
  }
  const type = readImageSize(bytes)?.mediaType
  return new Response(bytes, {
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-disposition': type === undefined ? 'attachment' : 'inline',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
