import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import { arrayOf, field, isArray, isObject } from './canonical/json.ts'

type Votes = Map<Dialect, number>

const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'function_call',
  'function_call_output',
  'compaction',
  'item_reference',
  'web_search_call',
  'custom_tool_call',
  'custom_tool_call_output',
  'computer_call',
  'computer_call_output',
])
const LANGCHAIN_TYPES: ReadonlySet<unknown> = new Set(['human', 'ai', 'constructor'])
const ANTHROPIC_BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
])
const AI_SDK_PARTS: ReadonlySet<unknown> = new Set(['tool-call', 'tool-result', 'reasoning', 'tool-approval-request'])
const DAYBOOK_PARTS: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'agent-call',
  'image',
  'audio',
  'data',
])
const UI_PARTS = /^(tool-(?!call$|result$)|data-|step-start$|dynamic-tool$|source-)/

/**
 * Which dialect messages are written in, by what only one of them has; plain text alone is `openai`, which has the fewest
 * rules for it. Nothing when they are no messages.
 */
export function recogniseDialect(messages: readonly JSONValue[], around?: JSONValue): Dialect | undefined {
  const { best, plain } = countVotes(messages, around)
  return best ?? (plain ? 'openai' : undefined)
}

/** The same where plain text alone does not count. */
export function recogniseForeign(messages: readonly JSONValue[]): Dialect | undefined {
  return countVotes(messages).best
}

function countVotes(
  messages: readonly JSONValue[],
  around?: JSONValue,
): { readonly best: Dialect | undefined; readonly plain: boolean } {
  const votes: Votes = new Map()
  let plain = 0
  for (const message of messages) {
    if (!isObject(message)) continue
    const dialect = dialectOf(message)
    if (dialect !== undefined) votes.set(dialect, (votes.get(dialect) ?? 0) + 1)
    else if (typeof message['role'] === 'string') plain += 1
  }
  voteAround(around, votes)
  const [best] = [...votes].toSorted(([, a], [, b]) => b - a)
  // Records of another kind may have a field or two in common with a message.
  if (((best?.[1] ?? 0) + plain) * 2 < messages.length) return { best: undefined, plain: false }
  return { best: best?.[0], plain: plain > 0 }
}

/** The request body that messages stand in says more than one message does. */
function voteAround(around: JSONValue | undefined, votes: Votes): void {
  if (!isObject(around)) return
  const model = around['model']
  const named = typeof model === 'string' ? model : ''
  const hints: readonly (readonly [boolean, Dialect])[] = [
    [around['system'] !== undefined && isArray(around['messages']), 'anthropic'],
    [around['instructions'] !== undefined && isArray(around['messages']), 'ai-sdk'],
    [named.startsWith('claude'), 'anthropic'],
    [isArray(around['contents']), 'gemini'],
    [isArray(around['input']) || isArray(around['output']), 'openai-responses'],
  ]
  const hint = hints.find(([holds]) => holds)
  if (hint !== undefined) votes.set(hint[1], (votes.get(hint[1]) ?? 0) + 1)
}

function dialectOf(message: Readonly<Record<string, JSONValue>>): Dialect | undefined {
  const { role, type, content, parts } = message
  if (role === undefined && (LANGCHAIN_TYPES.has(type) || isStored(message))) return 'langchain'
  if (ITEM_TYPES.has(type) || (type === 'reasoning' && role === undefined)) return 'openai-responses'
  if (isArray(parts)) return dialectOfParts(message, parts)
  if (message['tool_calls'] !== undefined || message['tool_call_id'] !== undefined || role === 'developer')
    return 'openai'
  if (role === 'tool' && typeof content === 'string') return 'openai'
  const types = arrayOf(content).map((part) => field(part, 'type'))
  if (type === 'message' || types.some((each) => each === 'input_text' || each === 'output_text'))
    return 'openai-responses'
  if (types.some((each) => ANTHROPIC_BLOCKS.has(each))) return 'anthropic'
  if (role === 'tool' || types.some((each) => AI_SDK_PARTS.has(each))) return 'ai-sdk'
  if (types.some((each) => each === 'image_url' || each === 'input_audio')) return 'openai'
  return dialectOfMedia(arrayOf(content))
}

/** Pictures and documents, by the names of the fields that hold them. */
function dialectOfMedia(content: readonly JSONValue[]): Dialect | undefined {
  for (const part of content) {
    const type = field(part, 'type')
    if (field(field(part, 'source'), 'media_type') !== undefined || type === 'document') return 'anthropic'
    if (type === 'image' && field(part, 'image') !== undefined) return 'ai-sdk'
    if (type === 'file' && field(part, 'data') !== undefined) return 'ai-sdk'
    if (type === 'file' && field(part, 'file') !== undefined) return 'openai'
  }
  return undefined
}

/** `{ type: 'system', data }` and `{ type: 'tool', content, tool_call_id }` of LangChain. */
function isStored({ type, data, content }: Readonly<Record<string, JSONValue>>): boolean {
  return (type === 'system' || type === 'tool') && (isObject(data) || content !== undefined)
}

function dialectOfParts(message: Readonly<Record<string, JSONValue>>, parts: readonly JSONValue[]): Dialect {
  if (message['role'] === 'model') return 'gemini'
  const types = parts.map((part) => field(part, 'type'))
  if (parts.length > 0 && types.every((type) => type === undefined)) return 'gemini'
  if (types.some((type) => typeof type === 'string' && UI_PARTS.test(type))) return 'ai-sdk-ui'
  if (message['role'] === 'tool' || message['seq'] !== undefined || types.some((type) => DAYBOOK_PARTS.has(type)))
    return 'daybook'
  return message['id'] === undefined ? 'daybook' : 'ai-sdk-ui'
}
