import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import { field, isArray, isObject } from '../dialects/canonical/json.ts'
import type { LintOptions } from '../dialects/options.ts'
import type { TranscriptPath } from '../dialects/violation.ts'
import { recogniseDialect } from '../dialects/recognise-dialect.ts'
import type { ReadDocument } from './read-document.ts'
import { type ExaminedConversation, type Specimen, conversationOf } from './specimen.ts'

export interface RecogniseOptions extends LintOptions {
  /** @default recognised by what only one dialect has */
  readonly dialect?: Dialect
}

/** Says what a file is, by its content and never by its name. */
export function recogniseDocument({ form, value }: ReadDocument, options: RecogniseOptions): Specimen {
  const list = isArray(value) ? value : []
  if (form === 'json-lines' && isGraph(list)) return { kind: 'mcp-memory', value, conversations: [] }
  if (isMem0(value)) return { kind: 'mem0', value, conversations: [] }
  const several = list.flatMap((each, index) => oneOfSeveral(each, index, options))
  if (several.length > 0 && several.length * 2 >= list.length)
    return { kind: 'transcripts', value, conversations: several }
  const whole = conversationAt(value, [], options)
  if (whole !== undefined) return { kind: 'transcript', value, conversations: [whole] }
  return { kind: form === 'json-lines' ? 'records' : 'unknown', value, conversations: [] }
}

function oneOfSeveral(value: JSONValue, index: number, options: RecogniseOptions): readonly ExaminedConversation[] {
  if (openMessages(value) === undefined) return []
  const found = conversationAt(value, [index], options)
  return found === undefined ? [] : [found]
}

function conversationAt(
  wire: JSONValue,
  path: TranscriptPath,
  options: RecogniseOptions,
): ExaminedConversation | undefined {
  const opened = isArray(wire) ? { messages: wire, key: [] } : openMessages(wire)
  if (opened === undefined) return undefined
  const { dialect: given, ...lint } = options
  const empty = opened.key.length > 0 && opened.messages.length === 0
  const dialect = given ?? recogniseDialect(opened.messages, wire) ?? (empty ? 'openai' : undefined)
  if (dialect === undefined) return undefined
  const model = field(wire, 'model')
  return conversationOf({
    dialect,
    path,
    wire,
    ...opened,
    options: { ...(typeof model === 'string' && model !== '' ? { model } : {}), ...lint },
  })
}

const KEYS = ['messages', 'contents', 'input', 'output'] as const

/** The messages of a request body. */
function openMessages(
  value: JSONValue,
): { readonly messages: readonly JSONValue[]; readonly key: TranscriptPath } | undefined {
  for (const key of KEYS) {
    const messages = field(value, key)
    // A record that merely has an "input" is not a conversation.
    if (isArray(messages) && (messages.some(isObject) || (key === 'messages' && messages.length === 0)))
      return { messages, key: [key] }
  }
  return undefined
}

/** The reference MCP server keeps a line for each entity and each relation. */
function isGraph(records: readonly JSONValue[]): boolean {
  const known = records.filter(
    (record) =>
      (field(record, 'type') === 'entity' && typeof field(record, 'name') === 'string') ||
      (field(record, 'type') === 'relation' && typeof field(record, 'from') === 'string'),
  )
  return known.length > 0 && known.length * 2 >= records.length
}

/** A dump of `getAll`: memories in a list, or under `results`. */
function isMem0(value: JSONValue): boolean {
  const list = mem0Memories(value)
  return list.length > 0 && list.filter((item) => typeof field(item, 'memory') === 'string').length * 2 >= list.length
}

export function mem0Memories(value: JSONValue): readonly JSONValue[] {
  const results = field(value, 'results')
  return isArray(value) ? value : isArray(results) ? results : []
}
