import { defined } from '../../domain/defined.ts'
import { fromBase64 } from '../../domain/from-base64.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { FilePart, ImagePart, MediaPart } from '../../domain/part.ts'
import { toBase64 } from '../../domain/to-base64.ts'
import { field, stringOf } from '../canonical/json.ts'
import { base64Of, mediaTypeOf } from '../canonical/media.ts'
import { opaque, wireFields } from '../canonical/provider.ts'
import type { AnthropicDocumentBlock, AnthropicImageBlock, AnthropicSource } from './types.ts'

type Provide = (
  block: JSONObject,
  known: readonly string[],
  anthropic?: JSONObject,
) => { provider?: NonNullable<ImagePart['provider']> }

/** An image or document whose bytes or address are in the block; one given by file id has no canonical form. */
export function readMedia(block: JSONObject, provide: Provide): ImagePart | FilePart | undefined {
  const source = block['source']
  const data = stringOf(field(source, 'data'))
  const url = stringOf(field(source, 'url'))
  const mediaType = stringOf(field(source, 'media_type'))
  const type = field(source, 'type')
  if (block['type'] === 'image') {
    if (type === 'url' && url !== undefined)
      return { type: 'image', source: { type: 'url', url }, ...provide(block, ['source']) }
    if (type !== 'base64' || data === undefined || mediaType === undefined) return undefined
    return { type: 'image', source: { type: 'base64', base64: data }, mediaType, ...provide(block, ['source']) }
  }
  if (block['type'] !== 'document') return undefined
  const more = {
    ...defined({ context: block['context'] ?? undefined, citations: block['citations'] ?? undefined }),
  } as JSONObject
  const shared = {
    ...defined({ name: stringOf(block['title']) }),
    ...provide(block, ['source', 'title', 'context', 'citations'], more),
  }
  if (type === 'url' && url !== undefined)
    return { type: 'file', source: { type: 'url', url }, mediaType: 'application/pdf', ...shared }
  if (type === 'base64' && data !== undefined) {
    return {
      type: 'file',
      source: { type: 'base64', base64: data },
      mediaType: mediaType ?? 'application/pdf',
      ...shared,
    }
  }
  if (type !== 'text' || data === undefined || !data.isWellFormed()) return undefined
  return {
    type: 'file',
    source: { type: 'base64', base64: toBase64(new TextEncoder().encode(data)) },
    mediaType: 'text/plain',
    ...shared,
  }
}

/** Documents are PDF or plain text; nothing else has a block. */
export function canShow(part: MediaPart): boolean {
  if (part.type === 'image') return true
  return part.type === 'file' && (part.mediaType === 'application/pdf' || part.mediaType === 'text/plain')
}

export function writeMedia(
  part: ImagePart | FilePart,
  blobs: ReadonlyMap<string, Uint8Array>,
): AnthropicImageBlock | AnthropicDocumentBlock {
  const rest = wireFields(part, 'anthropic')
  const source = writeSource(part, blobs)
  if (part.type === 'image') return { ...rest, type: 'image', source }
  return {
    ...rest,
    type: 'document',
    source,
    ...(defined({ title: opaque(part, 'anthropic', 'title') ?? part.name }) as { title?: string }),
    ...(defined({ context: opaque(part, 'anthropic', 'context') }) as { context?: string }),
    ...(defined({ citations: opaque(part, 'anthropic', 'citations') }) as { citations?: { enabled: boolean } }),
  }
}

function writeSource(part: ImagePart | FilePart, blobs: ReadonlyMap<string, Uint8Array>): AnthropicSource {
  if (part.source.type === 'url') return { type: 'url', url: part.source.url }
  const data = base64Of(part.source, blobs) ?? ''
  if (part.type === 'file' && part.mediaType === 'text/plain') {
    return { type: 'text', media_type: 'text/plain', data: new TextDecoder().decode(fromBase64(data)) }
  }
  return { type: 'base64', media_type: mediaTypeOf(part, data), data }
}
