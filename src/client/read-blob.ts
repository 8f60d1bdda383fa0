import { MemoryError } from '../domain/error.ts'
import { checkCall } from '../surface/check-call.ts'
import { messageOperations } from '../surface/messages.ts'
import type { Transport } from './transport.ts'

/** Reads the bytes of one blob; undefined if the scope has none of that hash. */
export async function readRemoteBlob(
  transport: Transport,
  scope: string,
  hash: string,
): Promise<Uint8Array | undefined> {
  transport.checkOpen()
  checkCall(messageOperations.blob, hash)
  try {
    const response = await transport.send(messageOperations.blob, { names: { scope, hash } })
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    if (MemoryError.is(error, 'log/not-found')) return undefined
    throw MemoryError.is(error)
      ? error
      : new MemoryError('server/unavailable', 'Cannot read a blob: the connection was lost in the middle', {}, error)
  }
}
