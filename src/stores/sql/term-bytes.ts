/** A term of a passage as it is stored: its key, its weight and its impact. */
export interface TermEntry {
  readonly key: number
  readonly weight: number
  readonly impact: number
}

const ENTRY_BYTES = 8

/** Two 32-bit numbers a term, little end first: the key, then weight and impact. A shelf with four thousand million words has other problems. */
export function writeTerms(entries: readonly TermEntry[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(entries.length * ENTRY_BYTES)
  for (const [index, { key, weight, impact }] of entries.entries()) {
    bytes.writeUInt32LE(key, index * ENTRY_BYTES)
    bytes.writeUInt32LE(weight * 256 + impact, index * ENTRY_BYTES + 4)
  }
  return bytes
}

export function readTerms(bytes: Uint8Array): readonly TermEntry[] {
  const pairs = readPairs(bytes)
  return Array.from({ length: pairs.length / 2 }, (_, index) => {
    const packed = pairs[index * 2 + 1] ?? 0
    return { key: pairs[index * 2] ?? 0, weight: packed >>> 8, impact: packed & 255 }
  })
}

/** The same without an object for each: ranking reads thousands of passages. Every machine that runs Node has the little end first. */
export function readPairs(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = byteAligned(bytes)
  return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / ENTRY_BYTES) * 2)
}

function byteAligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice()
}
