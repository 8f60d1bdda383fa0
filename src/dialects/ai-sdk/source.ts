import type { MediaPart } from '../../domain/part.ts'
import { isObject, stringOf } from '../canonical/json.ts'
import { sourceOfUrl } from '../canonical/media.ts'

/** Where a file is: base64, a URL in text or as an object, bytes, or one of these in its tagged form. */
export function sourceOf(
  value: unknown,
): { readonly source: MediaPart['source']; readonly mediaType?: string } | undefined {
  if (typeof value === 'string')
    return /^[a-z][a-z0-9+.-]*:/i.test(value) ? sourceOfUrl(value) : { source: { type: 'base64', base64: value } }
  if (value instanceof URL) return sourceOfUrl(value.href)
  if (value instanceof Uint8Array) return { source: { type: 'base64', base64: Buffer.from(value).toString('base64') } }
  if (value instanceof ArrayBuffer) return sourceOf(new Uint8Array(value))
  if (!isObject(value)) return undefined
  if (value['type'] === 'data')
    return typeof value['data'] === 'string' && value['data'].startsWith('data:') ? undefined : sourceOf(value['data'])
  if (value['type'] === 'url') return sourceOf(value['url'])
  const text = value['type'] === 'text' ? stringOf(value['text']) : undefined
  return text?.isWellFormed() === true
    ? { source: { type: 'base64', base64: Buffer.from(text).toString('base64') }, mediaType: 'text/plain' }
    : undefined
}
