import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ToolOutput, ToolResultPart } from '../../domain/part.ts'
import { arrayOf, field, isArray, isEmpty, isObject, objectOf } from '../canonical/json.ts'
import { stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { CallNames } from '../canonical/call-names.ts'
import { opaqueBlock, unknownRole } from '../canonical/opaque-block.ts'
import { INTERRUPTED } from '../canonical/marks.ts'
import { detailOf, sourceOfUrl } from '../canonical/media.ts'
import { mergeProvider, provided } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'

const AUDIO_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** An array of messages, or a request body with `messages`. */
export function openaiMessages(
  wire: unknown,
): { readonly messages: readonly JSONValue[]; readonly path: TranscriptPath } | undefined {
  if (isArray(wire)) return { messages: wire, path: [] }
  const messages = field(wire, 'messages')
  return isArray(messages) ? { messages, path: ['messages'] } : undefined
}

export function readOpenAI(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = openaiMessages(wire)
  if (opened === undefined) return undefined
  const names = new CallNames()
  return opened.messages.flatMap((message, index) => {
    const path = [...opened.path, index]
    const draft = readOpenAIMessage(message, path, reading, names)
    if (draft === undefined) return []
    reading.unit([draft], [message], path)
    return [reading.at(draft, path)]
  })
}

/** One message of the wire; nothing when it is not a message at all. */
export function readOpenAIMessage(
  message: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): Draft | undefined {
  if (!isObject(message)) return undefined
  const name = defined({ name: stringOf(message['name']) })
  switch (message['role']) {
    case 'system':
    case 'developer': {
      const rest = omitKeys(message, ['role', 'content', 'name'])
      const developer = message['role'] === 'developer' ? { role: 'developer' } : {}
      return {
        role: 'system',
        parts: readContent(message['content'], path, reading),
        ...name,
        ...provided(['wire:openai', { ...rest, ...developer }]),
      }
    }
    case 'user': {
      const rest = omitKeys(message, ['role', 'content', 'name'])
      return {
        role: 'user',
        parts: readContent(message['content'], path, reading),
        ...name,
        ...provided(['wire:openai', rest]),
      }
    }
    case 'assistant':
      return { ...readAssistant(message, path, reading, names), ...name }
    case 'tool':
      return readTool(message, path, reading, names)
    default:
      return unknownRole(message['role'], readContent(message['content'], path, reading))
  }
}

function readContent(content: unknown, path: TranscriptPath, reading: TranscriptReading): readonly Part[] {
  if (typeof content === 'string') return [reading.at({ type: 'text', text: content }, [...path, 'content'])]
  return arrayOf(content).flatMap((part, index): readonly Part[] => {
    const at = [...path, 'content', index]
    const read = readPart(part)
    if (read !== undefined) return [reading.at(read, at)]
    return opaqueBlock(part, at, reading, { dialect: 'openai', malformed: isMalformed(part) })
  })
}

const KNOWN_PARTS: ReadonlySet<unknown> = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])

/** Whether a part that could not be read is broken, and not merely unknown or (a file given by its id) opaque. */
function isMalformed(part: unknown): boolean {
  if (field(part, 'type') !== 'file') return KNOWN_PARTS.has(field(part, 'type'))
  const { file_data: data, file_id: id } = objectOf(field(part, 'file')) ?? {}
  return typeof data !== 'string' && typeof id !== 'string'
}

function readPart(part: unknown): Part | undefined {
  if (!isObject(part)) return undefined
  const openai = defined({ promptCacheBreakpoint: part['prompt_cache_breakpoint'] }) as JSONObject
  function provide(known: readonly string[], more: JSONObject = {}): ReturnType<typeof provided> {
    const rest = omitKeys(part as JSONObject, ['type', 'prompt_cache_breakpoint', ...known])
    return provided(['openai', { ...openai, ...more }], ['wire:openai', rest])
  }
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string' ? { type: 'text', text: part['text'], ...provide(['text']) } : undefined
    case 'refusal':
      return typeof part['refusal'] === 'string'
        ? { type: 'text', text: part['refusal'], ...provide(['refusal'], { refusal: true }) }
        : undefined
    case 'image_url': {
      const url = stringOf(field(part['image_url'], 'url'))
      if (url === undefined) return undefined
      const detail = detailOf(field(part['image_url'], 'detail'))
      const known = ['url', ...(detail === undefined ? [] : ['detail'])]
      const image = omitKeys(objectOf(part['image_url']) ?? {}, known)
      const { provider } = provide(['image_url'])
      const kept = isEmpty(image) ? provider : mergeProvider(provider, { 'wire:openai': { image } })
      return { type: 'image', ...sourceOfUrl(url), ...defined({ detail, provider: kept }) }
    }
    case 'input_audio': {
      const data = stringOf(field(part['input_audio'], 'data'))
      const mediaType = AUDIO_TYPES.get(field(part['input_audio'], 'format'))
      if (data === undefined || mediaType === undefined) return undefined
      return { type: 'audio', source: { type: 'base64', base64: data }, mediaType, ...provide(['input_audio']) }
    }
    case 'file': {
      const data = stringOf(field(part['file'], 'file_data'))
      if (data === undefined) return undefined
      const { source, mediaType } = sourceOfUrl(data)
      if (source.type !== 'base64') return undefined
      const name = stringOf(field(part['file'], 'filename'))
      return {
        type: 'file',
        source,
        mediaType: mediaType ?? 'application/pdf',
        ...defined({ name }),
        ...provide(['file']),
      }
    }
    default:
      return undefined
  }
}

const ASSISTANT_FIELDS = ['role', 'content', 'name', 'refusal', 'audio', 'tool_calls', 'reasoning_content']

function readAssistant(message: JSONObject, path: TranscriptPath, reading: TranscriptReading, names: CallNames): Draft {
  const parts: Part[] = []
  const thought = stringOf(message['reasoning_content'])
  if (thought !== undefined && thought !== '') {
    const mark = provided(['wire:openai', { field: 'reasoning_content' }])
    parts.push(reading.at({ type: 'reasoning', text: thought, ...mark }, [...path, 'reasoning_content']))
  }
  for (const part of readContent(message['content'], path, reading)) parts.push(part)
  const refusal = stringOf(message['refusal'])
  if (refusal !== undefined)
    parts.push(
      reading.at({ type: 'text', text: refusal, provider: { openai: { refusal: true } } }, [...path, 'refusal']),
    )
  if (isObject(message['audio'])) parts.push(reading.at(readAudio(message['audio']), [...path, 'audio']))
  for (const [index, call] of arrayOf(message['tool_calls']).entries()) {
    const part = readCall(call)
    if (part === undefined) continue
    names.add(part.id, part.name)
    parts.push(reading.at(part, [...path, 'tool_calls', index]))
  }
  const rest = omitKeys(message, ASSISTANT_FIELDS)
  return { role: 'assistant', parts, ...provided(['wire:openai', rest]) }
}

/** A reply's sound has its bytes; a request only names it. */
function readAudio(audio: JSONObject): Part {
  const id = stringOf(audio['id'])
  const data = stringOf(audio['data'])
  if (data === undefined || id === undefined) return { type: 'data', kind: 'openai:audio', data: audio }
  const transcript = defined({ transcript: stringOf(audio['transcript']) })
  const expires = defined({ expiresAt: audio['expires_at'] }) as JSONObject
  return {
    type: 'audio',
    source: { type: 'base64', base64: data },
    mediaType: 'audio/wav',
    ...transcript,
    provider: { openai: { audioId: id, ...expires } },
  }
}

function readCall(call: unknown): (Part & { type: 'tool-call' }) | undefined {
  const custom = objectOf(field(call, 'custom'))
  const target = custom ?? objectOf(field(call, 'function'))
  const id = stringOf(field(call, 'id'))
  const name = stringOf(target?.['name'])
  if (!isObject(call) || target === undefined || id === undefined || name === undefined) return undefined
  const rest = omitKeys(call, ['id', 'type', 'function', 'custom'])
  if (custom !== undefined) {
    const input = { input: custom['input'] ?? '' }
    return {
      type: 'tool-call',
      id,
      name,
      arguments: toJSON(input),
      ...provided(['wire:openai', { ...rest, type: 'custom' }]),
    }
  }
  const given = target['arguments']
  return {
    type: 'tool-call',
    id,
    name,
    arguments: typeof given === 'string' ? given : toJSON(given ?? {}),
    ...provided(['wire:openai', rest]),
  }
}

function readTool(message: JSONObject, path: TranscriptPath, reading: TranscriptReading, names: CallNames): Draft {
  const callId = stringOf(message['tool_call_id'])
  const rest = omitKeys(message, ['role', 'content', 'tool_call_id', 'name'])
  const result: ToolResultPart = {
    type: 'tool-result',
    ...defined({ callId, name: stringOf(message['name']) ?? names.get(callId) }),
    ...readResult(message['content'], path, reading),
  }
  const name = defined({ name: stringOf(message['name']) })
  return { role: 'tool', parts: [reading.at(result, path)], ...name, ...provided(['wire:openai', rest]) }
}

/** The outcome is not on the wire: it is recognised by the very form in which it is written (`write.ts`). */
function readResult(
  content: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
): Pick<ToolResultPart, 'output' | 'outcome'> {
  if (typeof content !== 'string') {
    const parts = readContent(content, path, reading).filter((part) => part.type === 'text')
    return { output: isArray(content) ? { type: 'parts', parts } : { type: 'text', text: '' } }
  }
  return readOutcome(content)
}

/** The reverse of `writeOutcome`. */
export function readOutcome(content: string): Pick<ToolResultPart, 'output' | 'outcome'> {
  if (content === INTERRUPTED) return { output: { type: 'text', text: content }, outcome: 'interrupted' }
  const error = content.startsWith('{"error":') ? errorOf(content) : undefined
  return error === undefined ? { output: { type: 'text', text: content } } : { output: error, outcome: 'error' }
}

function errorOf(content: string): ToolOutput | undefined {
  try {
    const value: unknown = JSON.parse(content)
    const error = field(value, 'error')
    if (error === undefined || JSON.stringify({ error }) !== content) return undefined
    return typeof error === 'string' ? { type: 'text', text: error } : { type: 'json', value: error }
  } catch {
    return undefined
  }
}
