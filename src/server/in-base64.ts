/** Bytes by hash, as JSON can hold them. */
export function inBase64(blobs: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, string>> {
  return Object.fromEntries([...blobs].map(([hash, bytes]) => [hash, Buffer.from(bytes).toString('base64')]))
}
