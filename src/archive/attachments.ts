import { extname } from 'node:path'
import type { Skipped } from '../api/imports.ts'
import { field, stringOf } from '../dialects/canonical/json.ts'
import { readImageSize } from '../domain/image-size.ts'
import type { Draft } from '../domain/message.ts'
import type { FilePart, ImagePart, Part } from '../domain/part.ts'
import { type ImportedConversation, type ImportedItem, skip } from './importers/imported-item.ts'
import type { Beside } from './source/beside.ts'

export interface AttachmentLimits {
  /** Bytes of one message with all that belongs to it. */
  readonly messageBytesMax: number
  /** Bytes of what belongs to one conversation: it is held until it is stored. */
  readonly conversationBytesMax: number
}

/** Names, ids and where it came from, which are added later. */
const FRAME_BYTES = 16_384

const mediaTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
}

/**
 * The conversation with the pictures and files that its messages point to, taken from beside it. What is not there, or too large, is
 * reported: the message is imported without it and keeps the pointer.
 */
export async function* withAttachments(
  conversation: ImportedConversation,
  beside: Beside | undefined,
  limits: AttachmentLimits,
): AsyncGenerator<ImportedItem, undefined> {
  const skipped: Skipped[] = []
  const turns: ImportedConversation['turns'][number][] = []
  let left = limits.conversationBytesMax
  for (const turn of conversation.turns) {
    const drafts: Draft[] = []
    for (const draft of turn.drafts) {
      let room = Math.min(limits.messageBytesMax - Buffer.byteLength(JSON.stringify(draft)) - FRAME_BYTES, left)
      const parts: Part[] = []
      for (const part of draft.parts) {
        const pointer = pointerOf(part)
        const found = pointer === undefined ? part : await attached(pointer, beside, Math.floor((room * 3) / 4))
        if (typeof found === 'object') parts.push(found)
        else {
          skipped.push({
            place: turn.place,
            reason: found,
            message: `${pointer?.kind ?? ''} ${pointer?.shown ?? ''}`.trim(),
          })
          parts.push(part)
        }
        const bytes = typeof found === 'object' && found !== part ? bytesOf(found) : 0
        room -= bytes
        left -= bytes
      }
      drafts.push({ ...draft, parts: draft.role === 'tool' ? inResult(parts) : parts })
    }
    turns.push({ ...turn, drafts })
  }
  for (const { place, reason, message } of skipped) yield skip(place, reason, message)
  yield { type: 'conversation', conversation: { ...conversation, turns } }
}

interface Pointer {
  readonly kind: string
  readonly shown: string
  readonly id: string | undefined
  readonly name: string | undefined
  readonly mediaType: string | undefined
}

/** What a part of ChatGPT's points to: a picture by its address, an upload by its id. */
function pointerOf(part: Part): Pointer | undefined {
  if (part.type !== 'data' || !part.kind.startsWith('chatgpt:')) return undefined
  const shown = stringOf(field(part.data, 'asset_pointer')) ?? stringOf(field(part.data, 'id'))
  if (shown === undefined) return undefined
  return {
    kind: part.kind.slice('chatgpt:'.length),
    shown,
    id: /(?:^|[/#])(file[-_][A-Za-z0-9]+)/.exec(shown.replace(/^[a-z-]+:/, ''))?.[1],
    name: stringOf(field(part.data, 'name')),
    mediaType: stringOf(field(part.data, 'mime_type')) ?? stringOf(field(part.data, 'mimeType')),
  }
}

async function attached(
  { id, name: given, mediaType }: Pointer,
  beside: Beside | undefined,
  bytesMax: number,
): Promise<ImagePart | FilePart | 'attachment-missing' | 'too-large' | 'unreadable'> {
  const file = id === undefined ? undefined : await beside?.find(id).catch(() => undefined)
  if (file === undefined) return 'attachment-missing'
  let bytes: Buffer | undefined
  try {
    bytes = await file.read(bytesMax)
  } catch {
    // A torn or swollen entry of a zip: the message has a life without it.
    return 'unreadable'
  }
  if (bytes === undefined) return 'too-large'
  if (bytes.length === 0) return 'attachment-missing'
  const source = { type: 'base64', base64: bytes.toString('base64') } as const
  const name = given ?? file.name.slice(file.name.lastIndexOf('/') + 1)
  const size = readImageSize(bytes)
  return size === undefined
    ? {
        type: 'file',
        source,
        mediaType: mediaType ?? mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream',
        name,
      }
    : { type: 'image', source, mediaType: size.mediaType, name }
}

/** As it travels and is counted: base64. */
function bytesOf(part: Part): number {
  return (part.type === 'image' || part.type === 'file') && part.source.type === 'base64'
    ? part.source.base64.length
    : 0
}

/** What a tool gave back belongs into its result. */
function inResult(parts: readonly Part[]): readonly Part[] {
  const media = parts.filter((part) => part.type === 'image' || part.type === 'file')
  const at = parts.findIndex((part) => part.type === 'tool-result')
  if (media.length === 0 || at < 0) return parts
  return parts.flatMap((part, index): readonly Part[] => {
    if (part.type === 'image' || part.type === 'file') return []
    if (index !== at || part.type !== 'tool-result' || part.output.type !== 'text') return [part]
    const { text } = part.output
    return [
      {
        ...part,
        output: { type: 'parts', parts: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media] },
      },
    ]
  })
}
