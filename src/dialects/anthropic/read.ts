import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft, Role } from '../../domain/message.ts'
import type { Part, TextPart, ToolOutput, ToolResultPart } from '../../domain/part.ts'
import { CallNames } from '../canonical/call-names.ts'
import { arrayOf, field, isArray, isObject, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { INTERRUPTED } from '../canonical/marks.ts'
import { opaqueBlock, unknownRole } from '../canonical/opaque-block.ts'
import { provided } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { readMedia } from './media.ts'

/** Messages and where they stand: an array, a request body, or the body of a reply. */
export interface OpenedAnthropic {
  readonly system: JSONValue | undefined
  readonly messages: readonly JSONValue[]
  readonly path: TranscriptPath
}

export function anthropicMessages(wire: unknown): OpenedAnthropic | undefined {
  if (isArray(wire)) return { system: undefined, messages: wire, path: [] }
  const messages = field(wire, 'messages')
  return isArray(messages) ? { system: field(wire, 'system'), messages, path: ['messages'] } : undefined
}

export function readAnthropic(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = anthropicMessages(wire)
  if (opened === undefined) return undefined
  const names = new CallNames()
  const messages = opened.messages.flatMap((message, index) => {
    const path = [...opened.path, index]
    const drafts = readAnthropicMessage(message, path, reading, names)
    reading.unit(drafts, [message], path)
    return drafts
  })
  return [...readSystem(opened.system, reading), ...messages]
}

/** One draft for each block, as the AI SDK has one system message for each. */
function readSystem(system: JSONValue | undefined, reading: TranscriptReading): readonly Draft[] {
  if (typeof system === 'string') {
    return [reading.at({ role: 'system', parts: [reading.at({ type: 'text', text: system }, ['system'])] }, ['system'])]
  }
  return arrayOf(system).flatMap((block, index) => {
    const part = readText(block)
    if (part === undefined) return []
    const path = ['system', index]
    return [reading.at({ role: 'system' as const, parts: [reading.at(part, path)] }, path)]
  })
}

/** Results become a tool message of their own; what the user said besides them follows. */
export function readAnthropicMessage(
  message: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): readonly Draft[] {
  if (!isObject(message)) return []
  const parts = readContent(message['content'], [...path, 'content'], reading, names)
  const provider = provided(['wire:anthropic', omitKeys(message, ['role', 'content'])])
  const role = message['role']
  if (role === 'assistant' || role === 'system') return [reading.at({ role, parts, ...provider }, path)]
  if (role !== 'user') {
    const quoted = unknownRole(role, parts)
    return quoted === undefined ? [] : [reading.at(quoted, path)]
  }
  return splitUser(parts, path, reading, provider)
}

function splitUser(
  parts: readonly Part[],
  path: TranscriptPath,
  reading: TranscriptReading,
  provider: ReturnType<typeof provided>,
): readonly Draft[] {
  const results = parts.filter((part) => part.type === 'tool-result')
  const others = parts.filter((part) => part.type !== 'tool-result')
  const drafts: Draft[] = []
  if (results.length > 0) drafts.push(reading.at({ role: 'tool' as Role, parts: results }, path))
  if (others.length > 0 || results.length === 0)
    drafts.push(reading.at({ role: 'user' as Role, parts: others, ...provider }, path))
  return drafts
}

function readContent(
  content: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
  names: CallNames,
): readonly Part[] {
  if (typeof content === 'string') return [reading.at({ type: 'text', text: content }, path)]
  return arrayOf(content).flatMap((block, index): readonly Part[] => {
    const at = [...path, index]
    const part = readBlock(block, names, reading)
    if (part === undefined)
      return opaqueBlock(block, at, reading, { dialect: 'anthropic', malformed: isMalformedBlock(block) })
    if (part.type === 'tool-call') names.add(part.id, part.name)
    return [reading.at(part, at)]
  })
}

const STRICT_BLOCKS: ReadonlySet<unknown> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'tool_result',
])
const INLINE_SOURCES: ReadonlySet<unknown> = new Set(['base64', 'url', 'text'])

/** Whether a block that could not be read is broken, and not merely unknown or (media given by file id) opaque. */
export function isMalformedBlock(block: unknown): boolean {
  const type = field(block, 'type')
  if (typeof type !== 'string') return true
  if (type !== 'image' && type !== 'document') return STRICT_BLOCKS.has(type) || type.endsWith('_tool_result')
  const source = field(field(block, 'source'), 'type')
  return typeof source !== 'string' || INLINE_SOURCES.has(source)
}

function provide(block: JSONObject, known: readonly string[], anthropic: JSONObject = {}): ReturnType<typeof provided> {
  const cacheControl = defined({ cacheControl: block['cache_control'] }) as JSONObject
  const rest = omitKeys(block, ['type', 'cache_control', ...known])
  return provided(['anthropic', { ...anthropic, ...cacheControl }], ['wire:anthropic', rest])
}

function readText(block: unknown): TextPart | undefined {
  if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return undefined
  const citations = defined({ citations: block['citations'] ?? undefined }) as JSONObject
  return { type: 'text', text: block['text'], ...provide(block, ['text', 'citations'], citations) }
}

function readBlock(block: unknown, names: CallNames, reading: TranscriptReading): Part | undefined {
  if (!isObject(block)) return undefined
  const { type } = block
  switch (type) {
    case 'text':
      return readText(block)
    case 'thinking': {
      if (typeof block['thinking'] !== 'string') return undefined
      const signature = defined({ signature: block['signature'] }) as JSONObject
      return { type: 'reasoning', text: block['thinking'], ...provide(block, ['thinking', 'signature'], signature) }
    }
    case 'redacted_thinking':
      if (typeof block['data'] !== 'string') return undefined
      return { type: 'reasoning', text: '', ...provide(block, ['data'], { redactedData: block['data'] }) }
    case 'image':
    case 'document':
      return readMedia(block, provide)
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readCall(block)
    case 'tool_result':
      return readResult(block, names, reading)
    default:
      return typeof type === 'string' && type.endsWith('_tool_result')
        ? readServerResult(block, type, names)
        : undefined
  }
}

function readCall(block: JSONObject): Part | undefined {
  const { id, name, input, type } = block
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  const shared = {
    type: 'tool-call',
    id,
    name,
    arguments: typeof input === 'string' ? input : toJSON(input ?? {}),
  } as const
  if (type === 'tool_use') return { ...shared, ...provide(block, ['id', 'name', 'input']) }
  if (type === 'server_tool_use')
    return {
      ...shared,
      providerExecuted: true,
      ...provide(block, ['id', 'name', 'input'], { type: 'server-tool-use' }),
    }
  const mcp = { type: 'mcp-tool-use', ...defined({ serverName: block['server_name'] }) } as JSONObject
  return { ...shared, providerExecuted: true, ...provide(block, ['id', 'name', 'input', 'server_name'], mcp) }
}

function readServerResult(block: JSONObject, type: string, names: CallNames): Part | undefined {
  const callId = stringOf(block['tool_use_id'])
  if (callId === undefined) return undefined
  const wire = provide(block, ['tool_use_id', 'content'])
  return {
    type: 'tool-result',
    callId,
    ...defined({ name: names.get(callId) }),
    output: { type: 'json', value: block['content'] ?? null },
    ...(block['is_error'] === true ? { outcome: 'error' as const } : {}),
    providerExecuted: true,
    provider: { ...wire.provider, 'wire:anthropic': { ...wire.provider?.['wire:anthropic'], type } },
  }
}

function readResult(block: JSONObject, names: CallNames, reading: TranscriptReading): Part | undefined {
  const callId = stringOf(block['tool_use_id'])
  if (callId === undefined && !reading.keepMalformed) return undefined
  const { content } = block
  const interrupted = content === INTERRUPTED && block['is_error'] === true
  const outcome = interrupted ? 'interrupted' : block['is_error'] === true ? 'error' : undefined
  const known = ['tool_use_id', 'content', 'is_error']
  const shared = {
    type: 'tool-result',
    ...defined({ callId, name: names.get(callId), outcome }),
  } as const
  if (!isArray(content)) {
    const text =
      typeof content === 'string' ? content : content === undefined || content === null ? '' : toJSON(content)
    return { ...shared, output: { type: 'text', text }, ...provide(block, known) }
  }
  const output = readBlocks(content, reading)
  const { provider } = provide(block, known)
  if (output !== undefined) return { ...shared, output, ...defined({ provider }) }
  const wire = { ...provider?.['wire:anthropic'], blocks: true }
  return {
    ...shared,
    output: { type: 'json', value: content },
    provider: { ...provider, 'wire:anthropic': wire },
  } satisfies ToolResultPart
}

/** Nothing, when a block has no canonical form: then the content is kept whole. */
function readBlocks(content: readonly JSONValue[], reading: TranscriptReading): ToolOutput | undefined {
  const parts = content.map((block) => readText(block) ?? (isObject(block) ? readMedia(block, provide) : undefined))
  const read = parts.filter((part) => part !== undefined)
  if (read.length === content.length) return { type: 'parts', parts: read }
  const malformed = content.some(
    (block, index) =>
      parts[index] === undefined && (isMalformedBlock(block) || !RESULT_BLOCKS.has(field(block, 'type'))),
  )
  return malformed && !reading.keepMalformed ? { type: 'parts', parts: read } : undefined
}

/** A17: what a tool_result may hold. */
export const RESULT_BLOCKS: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'search_result',
  'document',
  'tool_reference',
  'browser_state',
])
