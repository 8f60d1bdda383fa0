import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ToolOutput, ToolResultPart } from '../../domain/part.ts'
import { CallNames } from '../canonical/call-names.ts'
import { arrayOf, field, isArray, isObject, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { detailOf, sourceOfUrl } from '../canonical/media.ts'
import { opaqueBlock, unknownRole } from '../canonical/opaque-block.ts'
import { provided } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import { readOutcome } from '../openai/read.ts'
import type { TranscriptPath } from '../violation.ts'
import { isExternalItem, itemType, responsesItems } from './items.ts'

/** Items of one turn become one draft: what the model did, or the answers to it. */
export function readResponses(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = responsesItems(wire)
  if (opened === undefined) return undefined
  const drafts: Draft[] = []
  const names = new CallNames()
  let role: 'assistant' | 'tool' | undefined
  let parts: Part[] = []
  let items: JSONValue[] = []
  let paths: TranscriptPath[] = []

  function flush(): void {
    const [first] = paths
    if (role !== undefined && first !== undefined && parts.length > 0) {
      const draft = reading.at<Draft>({ role, parts }, first)
      reading.unit([draft], items, ...paths.slice(0, UNIT_PATHS_MAX))
      drafts.push(draft)
    }
    ;[role, parts, items, paths] = [undefined, [], [], []]
  }

  for (const [index, item] of opened.items.entries()) {
    const path = [...opened.path, index]
    const message = readInputMessage(item, path, reading)
    if (message !== undefined) {
      flush()
      reading.unit([message], [item], path)
      drafts.push(message)
      continue
    }
    const next = isExternalItem(itemType(item)) ? 'tool' : 'assistant'
    if (role !== next || paths.length === UNIT_PATHS_MAX) flush()
    role = next
    items.push(item)
    paths.push(path)
    for (const part of readItem(item, path, reading, names)) parts.push(part)
  }
  flush()
  return drafts
}

/** Keeps one draft at a size that can be passed as arguments. */
const UNIT_PATHS_MAX = 1_000

function readInputMessage(item: unknown, path: TranscriptPath, reading: TranscriptReading): Draft | undefined {
  if (!isObject(item) || itemType(item) !== 'message' || item['role'] === 'assistant') return undefined
  const { role } = item
  const parts = readInput(item['content'], [...path, 'content'], reading)
  const rest = omitKeys(item, ['type', 'role', 'content'])
  if (role === 'user') return reading.at<Draft>({ role, parts, ...provided(['wire:openai-responses', rest]) }, path)
  if (role === 'system' || role === 'developer') {
    const developer = role === 'developer' ? { role } : {}
    return reading.at<Draft>(
      { role: 'system', parts, ...provided(['wire:openai-responses', { ...rest, ...developer }]) },
      path,
    )
  }
  return reading.at<Draft>(unknownRole(role, parts) ?? { role: 'user', parts: [] }, path)
}

const KNOWN_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'text', 'output_text', 'refusal'])

function readInput(content: unknown, path: TranscriptPath, reading: TranscriptReading): readonly Part[] {
  if (typeof content === 'string') return [reading.at({ type: 'text', text: content }, path)]
  return arrayOf(content).flatMap((part, index): readonly Part[] => {
    const at = [...path, index]
    const read = readInputPart(part)
    if (read !== undefined) return [reading.at(read, at)]
    const malformed = isMalformedInput(part) || KNOWN_PARTS.has(field(part, 'type'))
    return opaqueBlock(part, at, reading, { dialect: 'openai-responses', malformed })
  })
}

/** Whether an image or file names neither its address, its bytes nor its id. */
export function isMalformedInput(part: unknown): boolean {
  if (!isObject(part)) return true
  const { type, image_url: image, file_url: url, file_data: data, file_id: id } = part
  if (type === 'input_image') return typeof image !== 'string' && typeof id !== 'string'
  if (type === 'input_file') return typeof url !== 'string' && typeof id !== 'string' && typeof data !== 'string'
  return false
}

function readInputPart(
  part: unknown,
): Exclude<Part, { type: 'reasoning' | 'tool-call' | 'tool-result' | 'agent-call' | 'data' }> | undefined {
  if (!isObject(part)) return undefined
  const openai = defined({ promptCacheBreakpoint: part['prompt_cache_breakpoint'] }) as JSONObject
  function provide(...known: readonly string[]): ReturnType<typeof provided> {
    return provided(
      ['openai', openai],
      ['wire:openai-responses', omitKeys(part as JSONObject, ['type', 'prompt_cache_breakpoint', ...known])],
    )
  }
  const { image_url: image, file_url: url, file_data: data, text } = part
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return typeof text === 'string'
        ? { type: 'text', text, ...provide('text', 'annotations', 'logprobs') }
        : undefined
    case 'refusal':
      return typeof part['refusal'] === 'string'
        ? { type: 'text', text: part['refusal'], provider: { openai: { refusal: true } } }
        : undefined
    case 'input_image':
      if (typeof image !== 'string') return undefined
      return {
        type: 'image',
        ...sourceOfUrl(image),
        ...defined({ detail: detailOf(part['detail']) }),
        ...provide('image_url', ...(detailOf(part['detail']) === undefined ? [] : ['detail'])),
      }
    case 'input_file': {
      const name = defined({ name: stringOf(part['filename']) })
      if (typeof url === 'string')
        return {
          type: 'file',
          source: { type: 'url', url },
          mediaType: 'application/pdf',
          ...name,
          ...provide('file_url', 'filename'),
        }
      const bytes = typeof data === 'string' ? sourceOfUrl(data) : undefined
      if (bytes?.source.type !== 'base64') return undefined
      return {
        type: 'file',
        source: bytes.source,
        mediaType: bytes.mediaType ?? 'application/pdf',
        ...name,
        ...provide('file_data', 'filename'),
      }
    }
    default:
      return undefined
  }
}

const KNOWN_ITEMS: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'function_call_output',
  'custom_tool_call_output',
])

function readItem(
  item: JSONValue,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): readonly Part[] {
  const parts = isObject(item) ? readKnownItem(item, path, reading, names) : undefined
  const malformed = KNOWN_ITEMS.has(itemType(item))
  if (parts === undefined) return opaqueBlock(item, path, reading, { dialect: 'openai-responses', malformed })
  for (const part of parts) if (part.type === 'tool-call') names.add(part.id, part.name)
  return parts.map((part) => reading.at(part, path))
}

function readKnownItem(
  item: JSONObject,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): readonly Part[] | undefined {
  switch (itemType(item)) {
    case 'message':
      return readAssistant(item, path, reading)
    case 'reasoning':
      return readReasoning(item)
    case 'function_call':
    case 'custom_tool_call':
      return readCall(item)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readOutput(item, path, reading, names)
    default:
      return undefined
  }
}

/** Parts after the first say that they continue its item, so that they go back into one. */
function readAssistant(item: JSONObject, path: TranscriptPath, reading: TranscriptReading): readonly Part[] {
  const { content, id, phase } = item
  const openai = { ...defined({ itemId: stringOf(id), phase: phase ?? undefined }) } as JSONObject
  const message = omitKeys(item, ['type', 'role', 'content', 'phase', ...(typeof id === 'string' ? ['id'] : [])])
  if (typeof content === 'string')
    return [{ type: 'text', text: content, ...provided(['openai', openai], ['wire:openai-responses', { ...message }]) }]
  return arrayOf(content).flatMap((part, index): readonly Part[] => {
    const read = readInputPart(part)
    if (read?.type !== 'text')
      return opaqueBlock(part, [...path, 'content', index], reading, { dialect: 'openai-responses', malformed: true })
    const rest = isObject(part) ? omitKeys(part, ['type', 'text', 'refusal']) : {}
    const place = index === 0 ? { message } : { continues: true }
    const refusal = isObject(part) && part['type'] === 'refusal' ? { refusal: true } : {}
    return [
      {
        type: 'text',
        text: read.text,
        ...provided(['openai', { ...openai, ...refusal }], ['wire:openai-responses', { part: rest, ...place }]),
      },
    ]
  })
}

/** One part for each paragraph of the summary, as the AI SDK has it; one without text when there is none. */
function readReasoning(item: JSONObject): readonly Part[] {
  const { id, encrypted_content: encrypted } = item
  const openai = {
    ...defined({ itemId: id ?? undefined, reasoningEncryptedContent: encrypted ?? undefined }),
  } as JSONObject
  const rest = omitKeys(item, ['type', 'id', 'summary', 'encrypted_content'])
  const texts = arrayOf(item['summary']).flatMap((part) =>
    isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  )
  return (texts.length === 0 ? [''] : texts).map((text, index) => {
    const wire = index === 0 ? rest : { continues: true }
    return { type: 'reasoning', text, ...provided(['openai', openai], ['wire:openai-responses', wire]) }
  })
}

function readCall(item: JSONObject): readonly Part[] | undefined {
  const { call_id: id, name, type } = item
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  const { namespace, async: isAsync } = item
  const openai = {
    ...defined({ itemId: stringOf(item['id']), namespace, async: isAsync }),
  } as JSONObject
  const rest = omitKeys(item, ['type', 'id', 'call_id', 'name', 'arguments', 'input', 'namespace', 'async'])
  if (type === 'custom_tool_call') {
    const input = toJSON({ input: item['input'] ?? '' })
    return [
      {
        type: 'tool-call',
        id,
        name,
        arguments: input,
        ...provided(['openai', openai], ['wire:openai-responses', { ...rest, custom: true }]),
      },
    ]
  }
  const given = item['arguments']
  const text = typeof given === 'string' ? given : toJSON(given ?? {})
  return [
    { type: 'tool-call', id, name, arguments: text, ...provided(['openai', openai], ['wire:openai-responses', rest]) },
  ]
}

function readOutput(
  item: JSONObject,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): readonly Part[] | undefined {
  const callId = stringOf(item['call_id'])
  if (callId === undefined) return undefined
  const custom = item['type'] === 'custom_tool_call_output' ? { custom: true } : {}
  const rest = omitKeys(item, ['type', 'call_id', 'output'])
  const { blocks, ...result } = readResult(item['output'], path, reading)
  const shared = { type: 'tool-result', callId, ...defined({ name: names.get(callId) }) } as const
  return [
    {
      ...shared,
      ...result,
      ...provided(['wire:openai-responses', { ...rest, ...custom, ...(blocks === true ? { blocks } : {}) }]),
    },
  ]
}

/** `blocks`: one of them has no canonical form (an image given by its id), so all are kept as they are. */
function readResult(
  output: JSONValue | undefined,
  path: TranscriptPath,
  reading: TranscriptReading,
): Pick<ToolResultPart, 'output' | 'outcome'> & { readonly blocks?: true } {
  if (typeof output === 'string') return readOutcome(output)
  if (!isArray(output))
    return { output: output === undefined ? { type: 'text', text: '' } : { type: 'json', value: output } }
  const parts = readInput(output, [...path, 'output'], reading)
  const plain = parts.filter((part) => part.type === 'text' || part.type === 'image' || part.type === 'file')
  if (plain.length < parts.length && parts.length === output.length)
    return { output: { type: 'json', value: output }, blocks: true }
  return { output: { type: 'parts', parts: plain } satisfies ToolOutput }
}
