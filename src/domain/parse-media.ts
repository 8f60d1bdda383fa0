import { checkOptions } from './check-options.ts'
import type { MediaSource } from './part.ts'
import { refuse } from './refuse.ts'

/** A source read from the caller: already final, or bytes or a path that will become a blob. */
export type ParsedMedia =
  | { readonly source: MediaSource; readonly mediaType?: string }
  | { readonly bytes: Uint8Array; readonly mediaType?: string }
  | { readonly path: string }

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const HASH = /^[0-9a-f]{64}$/

/** By type: what else is in a source would be lost. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  url: ['url'],
  path: ['path'],
  bytes: ['bytes'],
  base64: ['base64'],
  blob: ['hash', 'bytes'],
}

/** Reads any of the ways to name an image, file or sound. Bytes are copied: the caller may reuse the buffer. */
export function parseMedia(attempt: string, path: string, value: unknown): ParsedMedia {
  if (typeof value === 'string') return parseReference(attempt, path, value)
  if (value instanceof Uint8Array) return { bytes: copyOf(attempt, path, value) }
  if (typeof value !== 'object' || value === null)
    refuse(attempt, path, value, 'a path, a URL, a data URL, bytes or a source object')
  const source = value as Record<string, unknown>
  const known = fieldsOf[String(source['type'])]
  if (known !== undefined) checkOptions(`${attempt}: ${path}`, source, ['type', ...known], 'field')
  switch (source['type']) {
    case 'url':
      if (typeof source['url'] !== 'string') refuse(attempt, `${path}.url`, source['url'], 'a URL')
      return parseReference(attempt, path, source['url'], false)
    case 'path':
      if (typeof source['path'] !== 'string' || source['path'] === '')
        refuse(attempt, `${path}.path`, source['path'], 'a path')
      return { path: source['path'] }
    case 'bytes':
      if (!(source['bytes'] instanceof Uint8Array)) refuse(attempt, `${path}.bytes`, source['bytes'], 'a Uint8Array')
      return { bytes: copyOf(attempt, path, source['bytes']) }
    case 'base64':
      return { bytes: decode(attempt, `${path}.base64`, source['base64']) }
    case 'blob':
      if (typeof source['hash'] !== 'string' || !HASH.test(source['hash']))
        refuse(attempt, `${path}.hash`, source['hash'], 'a SHA-256 in hexadecimal')
      if (!Number.isSafeInteger(source['bytes']) || Number(source['bytes']) < 1)
        refuse(attempt, `${path}.bytes`, source['bytes'], 'the number of bytes')
      return { source: { type: 'blob', hash: source['hash'], bytes: Number(source['bytes']) } }
    default:
      return refuse(attempt, `${path}.type`, source['type'], 'url, path, bytes, base64 or blob')
  }
}

function parseReference(attempt: string, path: string, text: string, allowPath = true): ParsedMedia {
  if (/^data:/i.test(text)) return parseDataUrl(attempt, path, text)
  if (/^https?:\/\//i.test(text)) {
    if (!text.isWellFormed() || !URL.canParse(text)) refuse(attempt, path, text, 'a valid URL')
    return { source: { type: 'url', url: text } }
  }
  // A provider's own file scheme (gs://, s3://) is a URL as well; only `file:` would read this machine's disk.
  if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { source: { type: 'url', url: text } }
  if (!allowPath || text === '' || /^file:/i.test(text))
    refuse(attempt, path, text, 'a path, an http(s) URL or a data URL')
  return { path: text }
}

function parseDataUrl(attempt: string, path: string, url: string): ParsedMedia {
  const comma = url.indexOf(',')
  if (comma < 0) refuse(attempt, path, url, 'a data URL with a comma')
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  const payload = url.slice(comma + 1)
  const encoded = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  const bytes = encoded ? decode(attempt, path, payload) : percentDecode(attempt, path, payload)
  return mediaType === '' ? { bytes } : { bytes, mediaType }
}

/** Buffer skips what is not base64; a skipped character would be a silently changed image. */
function decode(attempt: string, path: string, text: unknown): Uint8Array {
  if (typeof text !== 'string' || !BASE64.test(text) || text.replace(/={1,2}$/, '').length % 4 === 1)
    refuse(attempt, path, text, 'base64')
  return filled(attempt, path, Buffer.from(text, 'base64'))
}

function percentDecode(attempt: string, path: string, text: string): Uint8Array {
  try {
    return filled(attempt, path, Buffer.from(decodeURIComponent(text), 'utf8'))
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return refuse(attempt, path, text, 'percent-encoded text')
  }
}

function copyOf(attempt: string, path: string, bytes: Uint8Array): Uint8Array {
  return filled(attempt, path, Uint8Array.prototype.slice.call(bytes))
}

function filled(attempt: string, path: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) refuse(attempt, path, bytes, 'at least one byte')
  return bytes
}
