/** As many arguments as every engine takes in one call. */
const PIECE_BYTES = 8_192

/** Bytes as base64 text, in Node and in a browser. */
export function toBase64(bytes: Uint8Array): string {
  // Where there is a Buffer it is several times as fast as `btoa`.
  if (typeof Buffer !== 'undefined')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))
  return btoa(binary)
}
