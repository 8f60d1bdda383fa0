import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ReasoningPart, TextPart } from '../../domain/part.ts'
import { arrayOf, field, isArray, isEmpty, isObject, objectOf, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { detailOf, mediaPart } from '../canonical/media.ts'
import { opaqueBlock, unknownRole } from '../canonical/opaque-block.ts'
import { providerOf } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { readOutput } from './read-output.ts'
import { hasBadFields, sourceOf } from './source.ts'

interface Opened {
  readonly instructions: unknown
  readonly messages: readonly JSONValue[]
  readonly path: TranscriptPath
}

/** An array of model messages, or the options of `generateText`. */
export function aisdkMessages(wire: unknown): Opened | undefined {
  if (isArray(wire)) return { instructions: undefined, messages: wire, path: [] }
  const messages = field(wire, 'messages')
  if (!isArray(messages)) return undefined
  return { instructions: field(wire, 'instructions') ?? field(wire, 'system'), messages, path: ['messages'] }
}

export function readAISDK(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = aisdkMessages(wire)
  if (opened === undefined) return undefined
  const executed = executedCalls(opened.messages)
  const drafts = opened.messages.flatMap((message, index) => {
    const path = [...opened.path, index]
    const draft = readMessage(message, path, reading, executed)
    if (draft === undefined) return []
    reading.unit([draft], [message], path)
    return [reading.at(draft, path)]
  })
  return [...readInstructions(opened.instructions, reading), ...drafts]
}

function readInstructions(instructions: unknown, reading: TranscriptReading): readonly Draft[] {
  const list = isArray(instructions) ? instructions : instructions === undefined ? [] : [instructions]
  return list.flatMap((item) => {
    const text = typeof item === 'string' ? item : stringOf(field(item, 'content'))
    if (text === undefined || (text === '' && field(item, 'providerOptions') === undefined)) return []
    const part: TextPart = { type: 'text', text, ...defined({ provider: providerOf(field(item, 'providerOptions')) }) }
    return [reading.at<Draft>({ role: 'system', parts: [reading.at(part, ['instructions'])] }, ['instructions'])]
  })
}

/** Calls that the provider ran itself: their results belong to the assistant. */
export function executedCalls(messages: readonly JSONValue[]): ReadonlySet<unknown> {
  const parts = messages.flatMap((message) =>
    field(message, 'role') === 'assistant' ? arrayOf(field(message, 'content')) : [],
  )
  return new Set(
    parts
      .filter((part) => field(part, 'type') === 'tool-call' && field(part, 'providerExecuted') === true)
      .map((part) => field(part, 'toolCallId')),
  )
}

function readMessage(
  message: JSONValue,
  path: TranscriptPath,
  reading: TranscriptReading,
  executed: ReadonlySet<unknown>,
): Draft | undefined {
  if (!isObject(message)) return undefined
  const { role, content } = message
  const provider = defined({ provider: providerOf(message['providerOptions']) })
  if (role === 'system') {
    const text = stringOf(content) ?? ''
    return { role, parts: [reading.at({ type: 'text', text, ...provider }, [...path, 'content'])] }
  }
  const parts = readContent(
    content,
    [...path, 'content'],
    reading,
    role === 'assistant' ? executed : role === 'tool' ? 'tool' : 'user',
  )
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return unknownRole(role, parts)
  const held = role === 'tool' ? parts.map((part) => holdExecuted(part, executed)) : parts
  return { role, parts: held, ...provider }
}

type Owner = ReadonlySet<unknown> | 'tool' | 'user'

function readContent(
  content: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
  place: Owner,
): readonly Part[] {
  if (typeof content === 'string') return [reading.at({ type: 'text', text: content }, path)]
  return arrayOf(content).flatMap((block, index): readonly Part[] => {
    const at = [...path, index]
    const part = isObject(block) ? readPart(block, reading, place) : undefined
    if (part !== undefined) return [reading.at(part, at)]
    return opaqueBlock(block, at, reading, { dialect: 'ai-sdk', malformed: isMalformedPart(block) })
  })
}

const STRICT: ReadonlySet<unknown> = new Set(['text', 'reasoning', 'tool-call', 'tool-result'])
/** The SDK validates against a closed list: a type that is not on it is rejected before any provider sees it. */
const KNOWN: ReadonlySet<unknown> = new Set([
  ...STRICT,
  'file',
  'image',
  'reasoning-file',
  'custom',
  'tool-approval-request',
  'tool-approval-response',
])

/** Whether a part that could not be read is broken, and not merely opaque: a file by reference, a custom part. */
export function isMalformedPart(part: unknown): boolean {
  const type = field(part, 'type')
  if (!KNOWN.has(type) || STRICT.has(type) || hasBadFields(part)) return true
  if (type === 'file' || type === 'image')
    return (
      !isReference(field(part, type === 'file' ? 'data' : 'image')) ||
      (type === 'file' && typeof field(part, 'mediaType') !== 'string')
    )
  if (type === 'tool-approval-request')
    return typeof field(part, 'approvalId') !== 'string' || typeof field(part, 'toolCallId') !== 'string'
  return (
    type === 'tool-approval-response' &&
    (typeof field(part, 'approvalId') !== 'string' || typeof field(part, 'approved') !== 'boolean')
  )
}

/** A file that lies at a provider, tagged or bare: the ids by provider name. */
function isReference(data: unknown): boolean {
  const reference = field(data, 'type') === 'reference' ? field(data, 'reference') : data
  if (!isObject(reference) || isEmpty(reference) || 'type' in reference) return false
  return Object.values(reference).every((id) => typeof id === 'string')
}

/** A late result of a call that the provider ran: it goes back to where it stood. */
function holdExecuted(part: Part, executed: ReadonlySet<unknown>): Part {
  if (part.type !== 'tool-result' || !executed.has(part.callId)) return part
  return { type: 'data', kind: 'ai-sdk:tool-result', data: part as unknown as JSONObject }
}

export function readPart(block: JSONObject, reading: TranscriptReading, place: Owner): Part | undefined {
  const provider = defined({ provider: providerOf(block['providerOptions']) })
  const { text } = block
  switch (block['type']) {
    case 'text':
      return typeof text === 'string' ? readText({ type: 'text', text, ...provider }) : undefined
    case 'reasoning':
      return typeof text === 'string' ? ({ type: 'reasoning', text, ...provider } satisfies ReasoningPart) : undefined
    case 'file':
    case 'image':
      return readFile(block)
    case 'custom':
      return readCompaction(block)
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = block
      if (typeof id !== 'string' || typeof name !== 'string') return undefined
      const ran = block['providerExecuted'] === true ? { providerExecuted: true as const } : {}
      return {
        type: 'tool-call',
        id,
        name,
        arguments: typeof input === 'string' ? input : toJSON(input ?? {}),
        ...ran,
        ...provider,
      }
    }
    case 'tool-result': {
      const { toolCallId: callId, toolName: name } = block
      if (typeof callId !== 'string' || typeof name !== 'string') return undefined
      const ran = typeof place !== 'string' && place.has(callId) ? { providerExecuted: true as const } : {}
      return readOutput(block['output'], { type: 'tool-result', callId, name, ...ran }, provider.provider, reading)
    }
    default:
      return undefined
  }
}

/** The SDK carries Anthropic's compaction as a text with a mark; its own block is what goes back to Anthropic. */
function readText(part: TextPart): Part {
  const { anthropic, ...others } = part.provider ?? {}
  if (anthropic?.['type'] !== 'compaction') return part
  const { type: _, cacheControl, ...rest } = anthropic
  const data = {
    type: 'compaction',
    content: part.text,
    ...rest,
    ...(defined({ cache_control: cacheControl }) as JSONObject),
  }
  return {
    type: 'data',
    kind: 'anthropic:compaction',
    data,
    ...(Object.keys(others).length === 0 ? {} : { provider: others }),
  }
}

function readCompaction(block: JSONObject): Part | undefined {
  const openai = objectOf(field(block['providerOptions'], 'openai'))
  const { itemId: id, encryptedContent } = openai ?? {}
  if (block['kind'] !== 'openai.compaction' || typeof encryptedContent !== 'string') return undefined
  const rest = omitKeys(openai ?? {}, ['itemId', 'encryptedContent', 'type'])
  return {
    type: 'data',
    kind: 'openai-responses:compaction',
    data: { ...rest, type: 'compaction', ...(defined({ id }) as JSONObject), encrypted_content: encryptedContent },
  }
}

function readFile(block: JSONObject): Part | undefined {
  if (hasBadFields(block)) return undefined
  const value: unknown = block[block['type'] === 'file' ? 'data' : 'image']
  const given = stringOf(block['mediaType']) ?? (block['type'] === 'image' ? 'image' : undefined)
  const media = sourceOf(value)
  if (media === undefined || (given ?? media.mediaType) === undefined) return undefined
  const provider = providerOf(block['providerOptions'])
  const part = mediaPart(media.source, given ?? media.mediaType ?? 'image', {
    ...defined({ name: stringOf(block['filename']), provider }),
  })
  const detail = detailOf(provider?.['openai']?.['imageDetail'])
  return part.type === 'image' && detail !== undefined ? { ...part, detail } : part
}
