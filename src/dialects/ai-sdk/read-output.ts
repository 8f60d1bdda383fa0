import { defined } from '../../domain/defined.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { MediaPart, ProviderFields, TextPart, ToolResultPart } from '../../domain/part.ts'
import { field, isArray, isObject, stringOf, omitKeys } from '../canonical/json.ts'
import { INTERRUPTED } from '../canonical/marks.ts'
import { mediaPart } from '../canonical/media.ts'
import { mergeProvider, providerOf } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import { hasBadFields, sourceOf } from './source.ts'

type Head = Pick<ToolResultPart, 'type' | 'callId' | 'name' | 'providerExecuted'>

/** A tool's output in one of the SDK's six forms; nothing when it has none of them. */
export function readOutput(
  output: unknown,
  head: Head,
  provider: ProviderFields | undefined,
  reading: TranscriptReading,
): ToolResultPart | undefined {
  if (!isObject(output)) return undefined
  const { value, type } = output
  const rest = omitKeys(output, ['type', 'value', 'reason'])
  const held = mergeProvider(provider, Object.keys(rest).length === 0 ? undefined : { 'wire:ai-sdk': { output: rest } })
  const shared = { ...head, ...defined({ provider: held }) }
  switch (type) {
    case 'text':
    case 'error-text': {
      if (typeof value !== 'string') return undefined
      const outcome = type === 'text' ? undefined : value === INTERRUPTED ? 'interrupted' : 'error'
      return { ...shared, output: { type: 'text', text: value }, ...defined({ outcome }) }
    }
    case 'json':
    case 'error-json':
      if (value === undefined) return undefined
      return { ...shared, output: { type: 'json', value }, ...(type === 'json' ? {} : { outcome: 'error' }) }
    case 'execution-denied':
      return { ...shared, output: { type: 'text', text: stringOf(output['reason']) ?? '' }, outcome: 'denied' }
    case 'content':
      return isArray(value) ? readContent(value, shared, reading) : undefined
    default:
      return undefined
  }
}

function readContent(
  value: readonly JSONValue[],
  shared: Omit<ToolResultPart, 'output'>,
  reading: TranscriptReading,
): ToolResultPart {
  const parts = value.map(readPart)
  const read = parts.filter((part) => part !== undefined)
  const broken = value.some(isBrokenPart)
  if (read.length === value.length || (broken && !reading.keepMalformed))
    return { ...shared, output: { type: 'parts', parts: read } }
  const provider = mergeProvider(shared.provider, { 'wire:ai-sdk': { content: true } })
  return { ...shared, output: { type: 'json', value }, ...defined({ provider }) }
}

/** Parts that have no canonical form and go back as they came. The list is the SDK's, and closed. */
const OPAQUE_PARTS: ReadonlySet<unknown> = new Set([
  'custom',
  'file-id',
  'file-reference',
  'image-file-id',
  'image-file-reference',
])

function isBrokenPart(part: JSONValue): boolean {
  return readPart(part) === undefined && !OPAQUE_PARTS.has(field(part, 'type'))
}

/** Whether a content output holds a part that the SDK would reject. */
export function isBrokenOutput(output: unknown): boolean {
  const value = field(output, 'value')
  return field(output, 'type') === 'content' && isArray(value) && value.some(isBrokenPart)
}

function readPart(part: JSONValue): TextPart | MediaPart | undefined {
  const provider = defined({ provider: providerOf(field(part, 'providerOptions')) })
  const type = field(part, 'type')
  const text = field(part, 'text')
  if (hasBadFields(part) || (type === 'file' && typeof field(part, 'mediaType') !== 'string')) return undefined
  if (type === 'text') return typeof text === 'string' ? { type: 'text', text, ...provider } : undefined
  const name = defined({ name: stringOf(field(part, 'filename')) })
  const mediaType = stringOf(field(part, 'mediaType'))
  const isImage = type === 'image-data' || type === 'image-url'
  const address = type === 'file-url' || type === 'image-url' ? field(part, 'url') : field(part, 'data')
  const media =
    type === 'file' || type === 'file-data' || type === 'file-url' || type === 'media' || isImage
      ? sourceOf(address)
      : undefined
  if (media === undefined) return undefined
  return mediaPart(media.source, mediaType ?? media.mediaType ?? (isImage ? 'image' : 'application/octet-stream'), {
    ...name,
    ...provider,
  })
}
