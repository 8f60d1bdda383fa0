import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ToolOutput, ToolResultPart } from '../../domain/part.ts'
import { CallNames } from '../canonical/call-names.ts'
import { arrayOf, field, isArray, isObject, objectOf, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { INTERRUPTED } from '../canonical/marks.ts'
import { detailOf, mediaPart, sourceOfUrl } from '../canonical/media.ts'
import { opaqueBlock, unknownRole } from '../canonical/opaque-block.ts'
import { mergeProvider, provided } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import { readOpenAIMessage } from '../openai/read.ts'
import type { TranscriptPath } from '../violation.ts'

export function langchainMessages(
  wire: unknown,
): { readonly messages: readonly JSONValue[]; readonly path: TranscriptPath } | undefined {
  if (isArray(wire)) return { messages: wire, path: [] }
  const messages = field(wire, 'messages')
  return isArray(messages) ? { messages, path: ['messages'] } : undefined
}

const TYPES: ReadonlyMap<unknown, 'human' | 'ai' | 'system' | 'tool'> = new Map([
  ['human', 'human'],
  ['HumanMessage', 'human'],
  ['HumanMessageChunk', 'human'],
  ['ai', 'ai'],
  ['AIMessage', 'ai'],
  ['AIMessageChunk', 'ai'],
  ['system', 'system'],
  ['SystemMessage', 'system'],
  ['SystemMessageChunk', 'system'],
  ['tool', 'tool'],
  ['ToolMessage', 'tool'],
  ['ToolMessageChunk', 'tool'],
])

interface Stored {
  readonly type: 'human' | 'ai' | 'system' | 'tool'
  readonly data: JSONObject
  /** Where the data stands in the message; nowhere when it is beside the type. */
  readonly key?: string
}

/** A stored message in one of LangChain's forms: constructor, `{ type, data }`, or the fields beside the type. */
export function unwrap(message: unknown): Stored | undefined {
  if (!isObject(message)) return undefined
  const { type, id, kwargs, data } = message
  if (type === 'constructor') {
    const known = isArray(id) ? TYPES.get(id.at(-1)) : undefined
    return known === undefined || !isObject(kwargs) ? undefined : { type: known, data: kwargs, key: 'kwargs' }
  }
  const known = TYPES.get(type)
  if (known === undefined) return undefined
  return isObject(data) ? { type: known, data, key: 'data' } : { type: known, data: omitKeys(message, ['type']) }
}

export function readLangChain(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = langchainMessages(wire)
  if (opened === undefined) return undefined
  const names = new CallNames()
  return opened.messages.flatMap((message, index) => {
    const path = [...opened.path, index]
    const stored = unwrap(message)
    const draft =
      stored === undefined
        ? readOther(message, path, reading, names)
        : readStored(stored, stored.key === undefined ? path : [...path, stored.key], reading, names)
    if (draft === undefined) return []
    reading.unit([draft], [message], path)
    return [reading.at(draft, path)]
  })
}

/** OpenAI-style dicts, which LangChain takes as well; messages of other types are quoted. */
function readOther(
  message: JSONValue,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): Draft | undefined {
  if (typeof field(message, 'role') === 'string') return readOpenAIMessage(message, path, reading, names)
  const content =
    field(field(message, 'data'), 'content') ?? field(field(message, 'kwargs'), 'content') ?? field(message, 'content')
  return typeof content === 'string'
    ? unknownRole(field(message, 'type'), [{ type: 'text', text: content }])
    : undefined
}

const ROLES = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' } as const
const SHARED_FIELDS = ['content', 'id', 'name', 'tool_calls', 'tool_call_id', 'status']

function readStored({ type, data }: Stored, path: TranscriptPath, reading: TranscriptReading, names: CallNames): Draft {
  const head = { ...defined({ id: stringOf(data['id']), name: stringOf(data['name']) }) }
  const kept = Object.entries(omitKeys(data, SHARED_FIELDS)).filter(
    ([, value]) => !(isObject(value) && Object.keys(value).length === 0),
  )
  const provider = provided(['wire:langchain', Object.fromEntries(kept)])
  if (type === 'tool')
    return { role: 'tool', parts: [reading.at(readResult(data, path, reading, names), path)], ...head, ...provider }
  const content = readContent(data['content'], [...path, 'content'], reading)
  if (type !== 'ai') return { role: ROLES[type], parts: content, ...head, ...provider }
  const calls = readCalls(data, path, reading, content)
  for (const call of calls) names.add(call.id, call.name)
  return { role: 'assistant', parts: inPlace(content, calls), ...head, ...provider }
}

type CallPart = Extract<Part, { type: 'tool-call' }>

/** A call that stands among the blocks as well has what its block says besides. */
function readCalls(
  data: JSONObject,
  path: TranscriptPath,
  reading: TranscriptReading,
  content: readonly Part[],
): readonly CallPart[] {
  const blocks = new Map(content.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.provider]] : [])))
  return arrayOf(data['tool_calls']).flatMap((call, index) => {
    const id = stringOf(field(call, 'id'))
    const name = stringOf(field(call, 'name'))
    if (!isObject(call) || id === undefined || name === undefined) return []
    const { args } = call
    const { provider } = provided(['wire:langchain', omitKeys(call, ['type', 'id', 'name', 'args'])])
    const text = typeof args === 'string' ? args : toJSON(args ?? {})
    const part = {
      type: 'tool-call' as const,
      id,
      name,
      arguments: text,
      ...defined({ provider: mergeProvider(provider, blocks.get(id)) }),
    }
    return [reading.at(part, [...path, 'tool_calls', index])]
  })
}

/** The calls in the places of their blocks, each once; those without a block at the end. */
function inPlace(content: readonly Part[], calls: readonly CallPart[]): readonly Part[] {
  const open = new Map(calls.toReversed().map((call) => [call.id, call]))
  const listed = new Set(open.keys())
  const placed = content.flatMap((part): readonly Part[] => {
    if (part.type !== 'tool-call' || !listed.has(part.id)) return [part]
    const call = open.get(part.id)
    open.delete(part.id)
    return call === undefined ? [] : [call]
  })
  const used = new Set(placed)
  return [...placed, ...calls.filter((call) => !used.has(call))]
}

function readResult(
  data: JSONObject,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): ToolResultPart {
  const callId = stringOf(data['tool_call_id'])
  const { content } = data
  const failed = data['status'] === 'error'
  const outcome = failed ? (content === INTERRUPTED ? 'interrupted' : 'error') : undefined
  const name = stringOf(data['name']) ?? names.get(callId)
  return {
    type: 'tool-result',
    ...defined({ callId, name }),
    ...readOutput(content, path, reading),
    ...defined({ outcome }),
  }
}

/** Where one of the blocks has no canonical form, all are kept as they are. */
function readOutput(
  content: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
): Pick<ToolResultPart, 'output' | 'provider'> {
  if (typeof content === 'string') return { output: { type: 'text', text: content } }
  if (!isArray(content))
    return { output: { type: 'text', text: content === undefined || content === null ? '' : toJSON(content) } }
  const parts = readContent(content, [...path, 'content'], reading)
  const plain = parts.filter(
    (part) => part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'audio',
  )
  if (plain.length < parts.length && parts.length === content.length)
    return { output: { type: 'json', value: content }, ...provided(['wire:langchain', { blocks: true }]) }
  return { output: { type: 'parts', parts: plain } satisfies ToolOutput }
}

function readContent(content: unknown, path: TranscriptPath, reading: TranscriptReading): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [reading.at({ type: 'text', text: content }, path)]
  return arrayOf(content).flatMap((block, index): readonly Part[] => {
    const at = [...path, index]
    const part =
      typeof block === 'string'
        ? ({ type: 'text', text: block } as const)
        : isObject(block)
          ? readBlock(block)
          : undefined
    return part === undefined
      ? opaqueBlock(block, at, reading, { dialect: 'langchain', malformed: isMalformedContent(block) })
      : [reading.at(part, at)]
  })
}

/** Whether a block that could not be read lacks what its type needs. A reasoning item of OpenAI has a summary instead. */
export function isMalformedContent(block: unknown): boolean {
  if (
    field(block, 'type') === 'reasoning' &&
    field(block, 'reasoning') === undefined &&
    isArray(field(block, 'summary'))
  )
    return false
  return (
    typeof block !== 'string' &&
    (!isObject(block) ||
      typeof block['type'] !== 'string' ||
      (STRICT.has(block['type']) && readBlock(block) === undefined))
  )
}

const STRICT: ReadonlySet<unknown> = new Set([
  'text',
  'image_url',
  'thinking',
  'redacted_thinking',
  'reasoning',
  'tool_use',
  'tool_call',
])

function readBlock(block: JSONObject): Part | undefined {
  const { type, text, thinking, reasoning, data } = block
  function provide(known: readonly string[], anthropic: JSONObject = {}): ReturnType<typeof provided> {
    return provided(['anthropic', anthropic], ['wire:langchain', omitKeys(block, ['type', ...known])])
  }
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type: 'text', text, ...provide(['text']) } : undefined
    case 'thinking': {
      const signature = defined({ signature: block['signature'] ?? undefined }) as JSONObject
      return typeof thinking === 'string'
        ? { type: 'reasoning', text: thinking, ...provide(['thinking', 'signature'], signature) }
        : undefined
    }
    case 'redacted_thinking':
      return typeof data === 'string'
        ? { type: 'reasoning', text: '', ...provide(['data'], { redactedData: data }) }
        : undefined
    case 'reasoning':
      return typeof reasoning === 'string'
        ? { type: 'reasoning', text: reasoning, ...provide(['reasoning']) }
        : undefined
    case 'image_url': {
      const image = block['image_url']
      const url = stringOf(image) ?? stringOf(field(image, 'url'))
      return url === undefined
        ? undefined
        : {
            type: 'image',
            ...sourceOfUrl(url),
            ...defined({ detail: detailOf(field(image, 'detail')) }),
            ...provide(['image_url']),
          }
    }
    case 'tool_use':
    case 'tool_call':
      return readCallBlock(block)
    case 'image':
    case 'file':
    case 'audio':
      return readMedia(block)
    default:
      return undefined
  }
}

function readCallBlock(block: JSONObject): Part | undefined {
  const { id, name, input, args } = block
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  const given = input ?? args ?? {}
  return {
    type: 'tool-call',
    id,
    name,
    arguments: typeof given === 'string' ? given : toJSON(given),
    ...provided(['wire:langchain', { block: omitKeys(block, ['id', 'name', 'input', 'args']) }]),
  }
}

function readMedia(block: JSONObject): Part | undefined {
  const source = objectOf(block['source'])
  const data = stringOf(block['data']) ?? stringOf(source?.['data'])
  const url = stringOf(block['url']) ?? stringOf(source?.['url'])
  const fallback = block['type'] === 'image' ? 'image' : undefined
  const mediaType =
    stringOf(block['mimeType']) ?? stringOf(block['mime_type']) ?? stringOf(source?.['media_type']) ?? fallback
  const name = stringOf(field(block['metadata'], 'filename')) ?? stringOf(field(block['metadata'], 'name'))
  if (mediaType === undefined || (data === undefined && url === undefined)) return undefined
  const place =
    data === undefined ? { type: 'url' as const, url: url ?? '' } : { type: 'base64' as const, base64: data }
  // Blocks of Anthropic's form are written in LangChain's own; the others as they came.
  const rest = omitKeys(block, ['type', 'data', 'url', 'source'])
  const wire = source === undefined ? { ...rest, block: String(block['type']) } : rest
  const { provider } = provided(['wire:langchain', wire])
  return mediaPart(place, mediaType, { ...defined({ name, provider }) })
}
