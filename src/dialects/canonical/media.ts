import { defined } from '../../domain/defined.ts'
import { MemoryError } from '../../domain/error.ts'
import type { AudioPart, FilePart, ImagePart, MediaPart, MediaSource } from '../../domain/part.ts'
import { toBase64 } from '../../domain/to-base64.ts'

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/
/** Long enough for the image signatures below, short enough to cost nothing. */
const SIGNATURE_CHARACTERS = 16

/** Splits a base64 data URL; anything else is a plain URL. */
export function sourceOfUrl(url: string): { readonly source: MediaSource; readonly mediaType?: string } {
  const match = DATA_URL.exec(url.slice(0, 256))
  if (match === null) return { source: { type: 'url', url } }
  const mediaType = match[1] === '' ? undefined : match[1]
  return { source: { type: 'base64', base64: url.slice(match[0].length) }, ...defined({ mediaType }) }
}

/** The bytes of a part as base64, taken from `blobs` when the log holds them. */
export function base64Of(source: MediaSource, blobs: ReadonlyMap<string, Uint8Array>): string | undefined {
  if (source.type === 'url') return undefined
  if (source.type === 'base64') return source.base64
  const bytes = blobs.get(source.hash)
  if (bytes === undefined) {
    throw new MemoryError(
      'dialect/missing-blob',
      `Cannot convert a part with the blob "${source.hash}": its bytes were not given, expected them in \`blobs\``,
      { hash: source.hash, bytes: source.bytes },
    )
  }
  return toBase64(bytes)
}

/** A URL, or a data URL with the bytes in it. */
export function urlOf(part: MediaPart, blobs: ReadonlyMap<string, Uint8Array>): string {
  if (part.source.type === 'url') return part.source.url
  const base64 = base64Of(part.source, blobs) ?? ''
  return `data:${mediaTypeOf(part, base64)};base64,${base64}`
}

/** The media type that was given, or the one that the first bytes show. */
export function mediaTypeOf(part: MediaPart, base64?: string): string {
  if (part.mediaType !== undefined) return part.mediaType
  const head = (base64 ?? (part.source.type === 'base64' ? part.source.base64 : '')).slice(0, SIGNATURE_CHARACTERS)
  if (head.startsWith('/9j/')) return 'image/jpeg'
  if (head.startsWith('R0lGOD')) return 'image/gif'
  if (head.startsWith('UklGR')) return 'image/webp'
  return 'image/png'
}

/** A media part of the kind that its media type says. */
export function mediaPart(
  source: MediaSource,
  mediaType: string,
  more: { readonly name?: string; readonly provider?: ImagePart['provider'] } = {},
): MediaPart {
  const { name, provider } = more
  const shared = { source, ...defined({ provider }) }
  if (mediaType === 'image' || mediaType === 'image/*') return { type: 'image', ...shared, ...defined({ name }) }
  if (mediaType.startsWith('image/')) return { type: 'image', ...shared, mediaType, ...defined({ name }) }
  if (mediaType.startsWith('audio/') && name === undefined)
    return { type: 'audio', ...shared, mediaType } satisfies AudioPart
  return { type: 'file', ...shared, mediaType, ...defined({ name }) } satisfies FilePart
}

/** What a model reads where its provider takes no such media. The bytes stay in the log. */
export function mediaPlaceholder(part: MediaPart): string {
  if (part.type === 'audio') return `[audio: ${part.transcript ?? part.mediaType}]`
  const where = part.source.type === 'url' ? part.source.url : undefined
  const facts = [part.name, part.mediaType, where].filter((fact) => fact !== undefined)
  return `[${part.type}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}]`
}

export function detailOf(value: unknown): 'low' | 'high' | 'auto' | undefined {
  return value === 'low' || value === 'high' || value === 'auto' ? value : undefined
}
