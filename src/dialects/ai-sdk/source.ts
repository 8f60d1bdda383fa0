import type { MediaPart } from '../../domain/part.ts'
import { toBase64 } from '../../domain/to-base64.ts'
import { field, isObject, stringOf } from '../canonical/json.ts'
import { sourceOfUrl } from '../canonical/media.ts'
import { providerOf } from '../canonical/provider.ts'

/** Where a file is: base64, a URL in text or as an object, bytes, or one of these in its tagged form. */
export function sourceOf(
  value: unknown,
): { readonly source: MediaPart['source']; readonly mediaType?: string } | undefined {
  if (typeof value === 'string') {
    if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return sourceOfUrl(value)
    return isBase64(value) ? { source: { type: 'base64', base64: value } } : undefined
  }
  if (value instanceof URL) return sourceOfUrl(value.href)
  if (value instanceof Uint8Array) return { source: { type: 'base64', base64: toBase64(value) } }
  if (value instanceof ArrayBuffer) return sourceOf(new Uint8Array(value))
  if (!isObject(value)) return undefined
  if (value['type'] === 'data')
    return typeof value['data'] === 'string' && value['data'].startsWith('data:') ? undefined : sourceOf(value['data'])
  if (value['type'] === 'url') return sourceOf(value['url'])
  const text = value['type'] === 'text' ? stringOf(value['text']) : undefined
  return text?.isWellFormed() === true
    ? { source: { type: 'base64', base64: toBase64(new TextEncoder().encode(text)) }, mediaType: 'text/plain' }
    : undefined
}

/** The SDK decodes the first bytes to learn their type, and throws on anything else. Both alphabets are taken. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/={1,2}$/, '').length % 4 !== 1
}

/** Whether an optional field of a file has another type than the SDK validates. */
export function hasBadFields(part: unknown): boolean {
  const options = field(part, 'providerOptions')
  if (options !== undefined && providerOf(options) === undefined) return true
  return [field(part, 'mediaType'), field(part, 'filename')].some(
    (value) => value !== undefined && typeof value !== 'string',
  )
}
