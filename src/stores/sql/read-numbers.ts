/** Reads what a `ByteWriter` wrote, one number a call; 0 after the end. */
export function readNumbers(bytes: Uint8Array): () => number {
  let at = 0
  return () => {
    let byte = bytes[at++] ?? 0
    if (byte < 128) return byte
    let value = byte - 128
    let unit = 128
    do {
      byte = bytes[at++] ?? 0
      value += (byte < 128 ? byte : byte - 128) * unit
      unit *= 128
    } while (byte >= 128)
    return value
  }
}
