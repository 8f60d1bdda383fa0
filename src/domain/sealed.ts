import { defined } from './defined.ts'
import { MemoryError } from './error.ts'

/**
 * What stands in a column instead of content that is encrypted: JSON text, so that every store takes it. `key` names the data key;
 * `blobs` has the names of the blobs that the content shows, as the column `hash` of theirs has them, so that forgetting finds
 * them without a key. The mark of an import stays the last field, as in a body that is not sealed.
 */
export interface Sealed {
  readonly sealed: 1
  readonly key: string
  readonly blobs?: readonly { readonly hash: string }[]
  /** Nonce, ciphertext and tag, in base64. */
  readonly data: string
  readonly imported?: true
}

/** What sealed text begins with; the name of its key comes after it. */
export const BEGINNING = '{"sealed":1,"key":"'
/** Sealed bytes begin with the name of their key, behind a mark that no digest and hardly a file begins with. */
export const MARK: Uint8Array = new TextEncoder().encode('daybook sealed 1\n')
/** Of the name of a key. */
const KEY = /^[0-9a-f]{32}"$/

/** No body and no compaction begins so. */
export function isSealed(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.startsWith(BEGINNING) &&
    KEY.test(text.slice(BEGINNING.length, BEGINNING.length + 33))
  )
}

export function writeSealed({ key, blobs = [], data, imported }: Omit<Sealed, 'sealed'>): string {
  return JSON.stringify({
    sealed: 1,
    key,
    ...(blobs.length === 0 ? {} : { blobs }),
    data,
    ...defined({ imported }),
  } satisfies Sealed)
}

/** @throws {MemoryError} `store/corrupt` where damage has left no JSON; what else is wrong with it shows when it is decrypted. */
export function readSealed(text: string): Sealed {
  try {
    return JSON.parse(text) as Sealed
  } catch (error) {
    const found = 'the stored bytes are not those that were written, run verify() and restore from a backup'
    throw new MemoryError('store/corrupt', `Cannot decrypt: ${found}`, { key: keyOfSealed(text) }, error)
  }
}

/** Which data key opens it, without reading all of it. */
export function keyOfSealed(text: string): string {
  return text.slice(BEGINNING.length, BEGINNING.length + 32)
}

/** What everything begins with that a key has sealed: texts, and bytes. */
export function beginningsOf(key: string): { readonly text: string; readonly bytes: Uint8Array } {
  return { text: `${BEGINNING}${key}`, bytes: new Uint8Array([...MARK, ...hexBytes(key)]) }
}

function hexBytes(hex: string): readonly number[] {
  return (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
}
