import { hash } from 'node:crypto'
import { MemoryError } from '../domain/error.ts'
import { blobHashes } from '../domain/media-parts.ts'
import type { Draft } from '../domain/message.ts'
import type { LogStore } from '../ports/log-store.ts'

/**
 * The bytes behind these hashes, as far as the scope has them.
 *
 * @throws {MemoryError} `store/corrupt` if bytes are not what their hash says.
 */
export async function blobs(
  store: LogStore,
  scope: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = await store.blobs(scope, hashes)
  for (const blob of found) {
    if (!(blob.bytes instanceof Uint8Array) || hash('sha256', blob.bytes) !== blob.hash) {
      throw new MemoryError(
        'store/corrupt',
        `Cannot read blob ${blob.hash}: its stored bytes are not those that were written, run verify()`,
        { hash: blob.hash },
      )
    }
  }
  return new Map(found.map((blob) => [blob.hash, blob.bytes]))
}

/** The same for all that some messages point to. */
export async function blobsIn(
  store: LogStore,
  scope: string,
  messages: readonly Pick<Draft, 'parts'>[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  return blobs(
    store,
    scope,
    messages.flatMap(({ parts }) => blobHashes(parts)),
  )
}
