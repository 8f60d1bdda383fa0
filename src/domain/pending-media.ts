/** Media that came with a message and still has to become a blob: bytes in hand, or a file to read. */
export type PendingMedia = { readonly bytes: Uint8Array } | { readonly path: string }

const MARK = 'pending:'

/** Stands for the hash of the n-th pending media until its bytes are known. No caller can write it: it is not a hash. */
export function pendingMark(index: number): string {
  return `${MARK}${index}`
}

export function pendingIndex(hash: string): number | undefined {
  return hash.startsWith(MARK) ? Number(hash.slice(MARK.length)) : undefined
}
