import { toBase64 } from '../domain/to-base64.ts'

/**
 * A value as JSON text. Bytes travel as base64, in the shape that `append` takes; the text is pure JSON otherwise, so that
 * NUL and lone surrogates arrive as they are.
 */
export function encode(value: unknown): string {
  return JSON.stringify(value, replaceBytes)
}

function replaceBytes(this: unknown, key: string, value: unknown): unknown {
  // A Buffer has a toJSON of its own, which was called already: so the holder is asked.
  const held = (this as Record<string, unknown>)[key]
  if (held instanceof Uint8Array) return { type: 'base64', base64: toBase64(held) }
  if (isBytesSource(held)) return { type: 'base64', base64: toBase64(held.bytes) }
  return value
}

function isBytesSource(value: unknown): value is { readonly bytes: Uint8Array } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { type?: unknown }).type === 'bytes' &&
    (value as { bytes?: unknown }).bytes instanceof Uint8Array
  )
}
