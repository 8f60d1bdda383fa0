import { type KeyObject, createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto'
import { MemoryError } from '../domain/error.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A key with what is derived from it once: deriving costs as much as encrypting a message. As Node's own objects: it takes bytes three times slower. */
export interface CipherKey {
  readonly content: KeyObject
  readonly nonces: KeyObject
  readonly names: KeyObject
}

export function cipherKey(bytes: Uint8Array): CipherKey {
  return {
    content: createSecretKey(bytes),
    nonces: createSecretKey(subkey(bytes, 'nonce')),
    names: createSecretKey(subkey(bytes, 'blob name')),
  }
}

/**
 * AES-256-GCM. The nonce is derived from key, place and content, so that the same content in the same place gives the same bytes, as
 * archives want it, and no two contents share a nonce but by a chance of 2^-96.
 */
export function encrypt({ content: key, nonces }: CipherKey, place: string, content: Uint8Array): Buffer {
  const nonce = createHmac('sha256', nonces)
    .update(`${place.length} ${place}`)
    .update(content)
    .digest()
    .subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** @throws {MemoryError} `store/corrupt` if the bytes are others, or were written to another place. */
export function decrypt(key: CipherKey, place: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw changed(place)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.content, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw changed(place, error)
  }
}

/** One key for one use. */
export function subkey(bytes: Uint8Array, use: string): Buffer {
  return createHmac('sha256', bytes).update(`daybook ${use}`).digest()
}

function changed(place: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'store/corrupt',
    `Cannot decrypt ${place}: the stored bytes are not those that were written there, run verify() and restore from a backup`,
    { place },
    cause,
  )
}
