import { toBase64 } from '../domain/to-base64.ts'

/** Bytes by hash, as JSON can hold them. */
export function inBase64(blobs: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, string>> {
  return Object.fromEntries([...blobs].map(([hash, bytes]) => [hash, toBase64(bytes)]))
}
