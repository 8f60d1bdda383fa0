/** The terms of a passage as stored: for each its key, then its weight and its impact. */
export interface TermEntry {
  readonly key: number
  readonly weight: number
  readonly impact: number
}

/** Keys are 32 bits wide: a shelf with four thousand million words has other problems. */
const ENTRY_BYTES = 6

export function writeTerms(entries: readonly TermEntry[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(entries.length * ENTRY_BYTES)
  for (const [index, { key, weight, impact }] of entries.entries()) {
    bytes.writeUInt32LE(key, index * ENTRY_BYTES)
    bytes.writeUInt8(weight, index * ENTRY_BYTES + 4)
    bytes.writeUInt8(impact, index * ENTRY_BYTES + 5)
  }
  return bytes
}

export function readTerms(bytes: Uint8Array): readonly TermEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.byteLength / ENTRY_BYTES) }, (_, index) => ({
    key: view.getUint32(index * ENTRY_BYTES, true),
    weight: view.getUint8(index * ENTRY_BYTES + 4),
    impact: view.getUint8(index * ENTRY_BYTES + 5),
  }))
}

/** Keys and weights in turn, without an object for each: ranking reads thousands of passages. */
export function readWeights(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = Math.floor(bytes.byteLength / ENTRY_BYTES)
  const weights = new Uint32Array(count * 2)
  for (let index = 0; index < count; index++) {
    weights[index * 2] = view.getUint32(index * ENTRY_BYTES, true)
    weights[index * 2 + 1] = view.getUint8(index * ENTRY_BYTES + 4)
  }
  return weights
}
