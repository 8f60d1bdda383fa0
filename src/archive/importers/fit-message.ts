import type { Skipped } from '../../api/imports.ts'
import { field, stringOf } from '../../dialects/canonical/json.ts'
import { mediaPlaceholder } from '../../dialects/canonical/media.ts'
import { MemoryError } from '../../domain/error.ts'
import { mediaParts } from '../../domain/media-parts.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { parseMessage } from '../../domain/parse-message.ts'
import { parsePart } from '../../domain/parse-part.ts'
import type { DataPart, MediaPart, Part } from '../../domain/part.ts'

/** A message on its way in. */
export type Arriving = Omit<NewMessage, 'parts'> & { readonly id: string; readonly parts: readonly Part[] }
type Fault = Pick<Skipped, 'reason' | 'message'>

export interface Fitted {
  /** Missing if it cannot come in at all. */
  readonly message?: Arriving
  readonly faults: readonly Fault[]
}

/**
 * The message as the log takes it, checked as `append` checks it, so that a dry run has the same report as the import. An image or
 * file that cannot come in does not keep out what was said with it.
 */
export function fitMessage(given: Arriving, bytesMax: number): Fitted {
  const faults = given.parts.flatMap(namedOnly)
  let message = given
  for (const lighten of [readable, small]) {
    if (faultOf(message, bytesMax) === undefined) return { message, faults }
    const lighter = lighten(message, bytesMax)
    message = lighter.message
    faults.push(...lighter.left)
  }
  const fault = faultOf(message, bytesMax)
  return fault === undefined ? { message, faults } : { faults: [fault] }
}

function faultOf(message: Arriving, bytesMax: number): Fault | undefined {
  if (message.parts.length === 0) return { reason: 'no-content', message: 'an empty message' }
  const bytes = bytesOf(message)
  if (bytes > bytesMax)
    return { reason: 'too-large', message: `a message of ${bytes} bytes, expected at most ${bytesMax}` }
  try {
    parseMessage('import', 'message', message)
    return undefined
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    return { reason: /content is/.test(error.message) ? 'no-content' : 'wrong-type', message: error.message }
  }
}

function bytesOf(message: Arriving): number {
  return Buffer.byteLength(JSON.stringify(message))
}

interface Lighter {
  readonly message: Arriving
  readonly left: readonly Fault[]
}

/** Without media whose bytes are not in the export, or are no bytes: a path on somebody's disk, an address inside a browser. */
function readable(message: Arriving): Lighter {
  return without(message, 'attachment-missing', (part) => {
    try {
      parsePart(part, { attempt: 'import', path: 'part', pending: [] })
      return false
    } catch (error) {
      if (MemoryError.is(error)) return true
      throw error
    }
  })
}

/** Without its largest media, as many as make room. */
function small(message: Arriving, bytesMax: number): Lighter {
  let over = bytesOf(message) - bytesMax
  const heavy = new Set<MediaPart>()
  for (const part of mediaParts(message.parts).toSorted((a, b) => weightOf(b) - weightOf(a))) {
    if (over <= 0) break
    heavy.add(part)
    over -= weightOf(part) - STAND_IN_BYTES
  }
  return without(message, 'too-large', (part) => heavy.has(part))
}

/** What stands where an attachment was. */
const STAND_IN_BYTES = 1_024
const SHOWN_CHARACTERS = 200

function weightOf({ source }: MediaPart): number {
  return source.type === 'base64' ? source.base64.length : source.type === 'url' ? source.url.length : 0
}

function without(message: Arriving, reason: Fault['reason'], isLeft: (part: MediaPart) => boolean): Lighter {
  const left: Fault[] = []
  const stands = (part: MediaPart): boolean => {
    if (!isLeft(part)) return true
    left.push({ reason, message: `${part.type} ${shown(part)}`.trim() })
    return false
  }
  const parts = message.parts.map((part): Part => {
    if (isMedia(part)) return stands(part) ? part : standIn(part)
    if (part.type !== 'tool-result' || part.output.type !== 'parts') return part
    const found = part.output.parts.map((inner) =>
      !isMedia(inner) || stands(inner) ? inner : { type: 'text' as const, text: mediaPlaceholder(named(inner)) },
    )
    return { ...part, output: { type: 'parts', parts: found } }
  })
  return { message: { ...message, parts }, left }
}

function isMedia(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'file' || part.type === 'audio'
}

/** As the export called it, for people: nothing can be opened by it. */
function standIn(part: MediaPart): DataPart {
  const { type, mediaType } = part
  const name = 'name' in part ? part.name : undefined
  const data = {
    ...(name === undefined ? {} : { name: name.slice(0, SHOWN_CHARACTERS) }),
    ...(mediaType === undefined ? {} : { mediaType: mediaType.slice(0, SHOWN_CHARACTERS) }),
    ...(part.source.type === 'url' ? { url: part.source.url.slice(0, SHOWN_CHARACTERS) } : {}),
  }
  return { type: 'data', kind: `import:${type}`, data }
}

function named(part: MediaPart): MediaPart {
  const url = part.source.type === 'url' ? part.source.url.slice(0, SHOWN_CHARACTERS) : ''
  return { ...part, source: url === '' ? { type: 'base64', base64: '' } : { type: 'url', url } }
}

function shown(part: MediaPart): string {
  const name = 'name' in part ? part.name : undefined
  const url = part.source.type === 'url' ? part.source.url : undefined
  return (name ?? url ?? part.mediaType ?? '').slice(0, SHOWN_CHARACTERS)
}

/** Blocks that providers keep for their user and exports only name. The block comes in as it is. */
function namedOnly(part: Part): Fault[] {
  if (part.type !== 'data') return []
  const { data } = part
  const id =
    stringOf(field(data, 'file_id')) ??
    stringOf(field(data, 'fileId')) ??
    stringOf(field(field(data, 'file'), 'file_id')) ??
    stringOf(field(field(data, 'source'), 'file_id')) ??
    (field(data, 'source_type') === 'id' ? stringOf(field(data, 'id')) : undefined)
  if (id === undefined || id === '') return []
  const kind = part.kind.slice(part.kind.indexOf(':') + 1)
  return [{ reason: 'attachment-missing', message: `${kind} ${id.slice(0, SHOWN_CHARACTERS)}` }]
}
