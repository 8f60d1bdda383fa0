import { checkJSON, checkJSONObject, isPlainObject } from './check-json.ts'
import { checkOptions, nearest } from './check-options.ts'
import { type PendingMedia, pendingMark } from './pending-media.ts'
import type { JSONValue } from './json.ts'
import { parseMedia } from './parse-media.ts'
import type {
  AgentCallPart,
  DataPart,
  MediaPart,
  Part,
  ProviderFields,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from './part.ts'
import { refuse } from './refuse.ts'

/** Where a part stands in the caller's argument, and where its media waits for its bytes. */
export interface PartContext {
  readonly attempt: string
  readonly path: string
  readonly pending: PendingMedia[]
}

type Fields = Record<string, unknown>

const parsers = {
  text: parseText,
  reasoning: parseText,
  image: parseMediaPart,
  file: parseMediaPart,
  audio: parseMediaPart,
  'tool-call': parseToolCall,
  'tool-result': parseToolResult,
  'agent-call': parseAgentCall,
  data: parseData,
} as const satisfies Record<Part['type'], (fields: Fields, context: PartContext) => Part>

const types = Object.keys(parsers) as Part['type'][]

/** Reads one part of a message: known type, known fields, right types. Gives back a fresh object. */
export function parsePart(value: unknown, context: PartContext): Part {
  if (!isPlainObject(value)) refuse(context.attempt, context.path, value, 'a part: an object with a type')
  const type = types.find((name) => name === value['type'])
  if (type === undefined) {
    const meant = nearest(String(value['type']), types)
    refuse(
      context.attempt,
      `${context.path}.type`,
      value['type'],
      meant === undefined ? `one of ${types.join(', ')}` : `a known part type, did you mean "${meant}"?`,
    )
  }
  return parsers[type](value, context)
}

function known(fields: Fields, context: PartContext, names: readonly string[]): void {
  checkOptions(`${context.attempt}: ${context.path}`, fields, ['type', 'provider', ...names], 'field')
}

function text(fields: Fields, key: string, context: PartContext, wanted = 'a string'): string {
  const value = fields[key]
  if (typeof value !== 'string') refuse(context.attempt, `${context.path}.${key}`, value, wanted)
  return value
}

function filled(fields: Fields, key: string, context: PartContext): string {
  const value = text(fields, key, context, 'a non-empty string')
  if (value === '') refuse(context.attempt, `${context.path}.${key}`, value, 'a non-empty string')
  return value
}

function provider(fields: Fields, context: PartContext): { provider?: ProviderFields } {
  const value = fields['provider']
  if (value === undefined) return {}
  return { provider: parseProvider(context.attempt, `${context.path}.provider`, value) }
}

export function parseProvider(attempt: string, path: string, value: unknown): ProviderFields {
  checkJSONObject(attempt, path, value)
  for (const [name, fields] of Object.entries(value)) {
    if (!isPlainObject(fields)) refuse(attempt, `${path}.${name}`, fields, "an object of that provider's fields")
  }
  return value as ProviderFields
}

function optional(fields: Fields, context: PartContext, keys: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const key of keys) if (fields[key] !== undefined) found[key] = text(fields, key, context)
  return found
}

function flag(fields: Fields, context: PartContext): { providerExecuted?: true } {
  const value = fields['providerExecuted']
  if (value === undefined || value === false) return {}
  if (value !== true) refuse(context.attempt, `${context.path}.providerExecuted`, value, 'true or nothing')
  return { providerExecuted: true }
}

function parseText(fields: Fields, context: PartContext): TextPart | ReasoningPart {
  known(fields, context, ['text'])
  return { type: fields['type'] as 'text', text: text(fields, 'text', context), ...provider(fields, context) }
}

function parseMediaPart(fields: Fields, context: PartContext): MediaPart {
  const type = fields['type'] as MediaPart['type']
  const own =
    type === 'image'
      ? ['name', 'detail', 'width', 'height']
      : type === 'file'
        ? ['name', 'pages']
        : ['transcript', 'seconds']
  known(fields, context, ['source', 'mediaType', ...own])
  const media = parseMedia(context.attempt, `${context.path}.source`, fields['source'])
  const mediaType = 'mediaType' in media && media.mediaType !== undefined ? { mediaType: media.mediaType } : {}
  const part = {
    type,
    source: 'source' in media ? media.source : { type: 'blob', hash: pendingMark(context.pending.length), bytes: 0 },
    ...mediaType,
    ...optional(fields, context, ['mediaType', 'name', 'transcript']),
    ...imageFields(fields, context),
    ...measures(fields, context),
    ...provider(fields, context),
  } as MediaPart
  if (!('source' in media)) context.pending.push('path' in media ? { path: media.path } : { bytes: media.bytes })
  if (!('path' in media) && type !== 'image' && part.mediaType === undefined) {
    refuse(context.attempt, `${context.path}.mediaType`, undefined, 'a media type: the source does not say it')
  }
  return part
}

/** Bounds of what can be counted in tokens, and stored as a number of them. */
const PAGES_MAX = 1_000_000
const SECONDS_MAX = 10_000_000

/** How long a document or a sound is. */
function measures(fields: Fields, context: PartContext): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const { pages, seconds } = fields
  if (pages !== undefined) {
    if (!Number.isSafeInteger(pages) || Number(pages) < 1 || Number(pages) > PAGES_MAX)
      refuse(context.attempt, `${context.path}.pages`, pages, `a number of pages, at most ${PAGES_MAX}`)
    found['pages'] = pages
  }
  if (seconds !== undefined) {
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= SECONDS_MAX))
      refuse(context.attempt, `${context.path}.seconds`, seconds, `a number of seconds, at most ${SECONDS_MAX}`)
    found['seconds'] = seconds
  }
  return found
}

function imageFields(fields: Fields, context: PartContext): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  if (fields['detail'] !== undefined) {
    if (!['low', 'high', 'auto'].includes(String(fields['detail'])))
      refuse(context.attempt, `${context.path}.detail`, fields['detail'], 'low, high or auto')
    found['detail'] = fields['detail']
  }
  for (const key of ['width', 'height']) {
    if (fields[key] === undefined) continue
    if (!Number.isSafeInteger(fields[key]) || Number(fields[key]) < 1)
      refuse(context.attempt, `${context.path}.${key}`, fields[key], 'a number of pixels')
    found[key] = fields[key]
  }
  return found
}

function parseToolCall(fields: Fields, context: PartContext): ToolCallPart {
  known(fields, context, ['id', 'name', 'arguments', 'providerExecuted'])
  const given = fields['arguments']
  if (typeof given !== 'string') checkJSONObject(context.attempt, `${context.path}.arguments`, given)
  return {
    type: 'tool-call',
    id: filled(fields, 'id', context),
    name: filled(fields, 'name', context),
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
    ...flag(fields, context),
    ...provider(fields, context),
  }
}

function parseToolResult(fields: Fields, context: PartContext): ToolResultPart {
  known(fields, context, ['callId', 'name', 'output', 'outcome', 'providerExecuted'])
  const outcome = fields['outcome']
  if (outcome !== undefined && !['ok', 'error', 'denied', 'interrupted'].includes(String(outcome))) {
    refuse(context.attempt, `${context.path}.outcome`, outcome, 'ok, error, denied or interrupted')
  }
  return {
    type: 'tool-result',
    ...(fields['callId'] === undefined ? {} : { callId: filled(fields, 'callId', context) }),
    ...optional(fields, context, ['name']),
    output: parseOutput(fields['output'], { ...context, path: `${context.path}.output` }),
    ...(outcome === undefined ? {} : { outcome: outcome as 'ok' }),
    ...flag(fields, context),
    ...provider(fields, context),
  }
}

/** Text, one of our output objects, or any other JSON value: what tools return is not ours to shape. */
export function parseOutput(value: unknown, context: PartContext): ToolOutput {
  if (typeof value === 'string') return { type: 'text', text: value }
  if (isPlainObject(value)) {
    if (value['type'] === 'text' && hasOnly(value, 'text') && typeof value['text'] === 'string')
      return { type: 'text', text: value['text'] }
    if (value['type'] === 'json' && hasOnly(value, 'value') && value['value'] !== undefined)
      return json(value['value'], context)
    if (value['type'] === 'parts' && hasOnly(value, 'parts') && Array.isArray(value['parts']))
      return outputParts(value['parts'], context)
  }
  return json(value, context)
}

function hasOnly(value: Fields, key: string): boolean {
  return Object.keys(value).every((name) => name === 'type' || name === key)
}

function json(value: unknown, context: PartContext): ToolOutput {
  checkJSON(context.attempt, context.path, value)
  return { type: 'json', value: value as JSONValue }
}

function outputParts(values: readonly unknown[], context: PartContext): ToolOutput {
  const parts = values.map((value, index) => {
    const path = `${context.path}.parts[${index}]`
    const part = parsePart(value, { ...context, path })
    if (part.type !== 'text' && part.type !== 'image' && part.type !== 'file' && part.type !== 'audio') {
      refuse(context.attempt, `${path}.type`, part.type, 'text, image, file or audio')
    }
    return part
  })
  return { type: 'parts', parts }
}

function parseAgentCall(fields: Fields, context: PartContext): AgentCallPart {
  known(fields, context, ['id', 'agent', 'request'])
  checkJSON(context.attempt, `${context.path}.request`, fields['request'])
  return {
    type: 'agent-call',
    ...optional(fields, context, ['id']),
    agent: filled(fields, 'agent', context),
    request: fields['request'] as JSONValue,
    ...provider(fields, context),
  }
}

function parseData(fields: Fields, context: PartContext): DataPart {
  known(fields, context, ['kind', 'data'])
  checkJSON(context.attempt, `${context.path}.data`, fields['data'])
  return {
    type: 'data',
    kind: fields['kind'] === undefined ? 'structured' : filled(fields, 'kind', context),
    data: fields['data'] as JSONValue,
    ...provider(fields, context),
  }
}
