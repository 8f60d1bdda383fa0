import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ToolResultPart } from '../../domain/part.ts'
import { arrayOf, field, isArray, isEmpty, isObject, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { INTERRUPTED } from '../canonical/marks.ts'
import { mediaPart, sourceOfUrl } from '../canonical/media.ts'
import { unknownRole } from '../canonical/opaque-block.ts'
import { mergeProvider, providerOf } from '../canonical/provider.ts'
import { readOutput } from '../ai-sdk/read-output.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { isMalformedUIPart, toolName } from './parts.ts'

/** An array of UI messages, or a body with `messages`. */
export function uiMessages(
  wire: unknown,
): { readonly messages: readonly JSONValue[]; readonly path: TranscriptPath } | undefined {
  if (isArray(wire)) return { messages: wire, path: [] }
  const messages = field(wire, 'messages')
  return isArray(messages) ? { messages, path: ['messages'] } : undefined
}

export function readUI(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = uiMessages(wire)
  if (opened === undefined) return undefined
  return opened.messages.flatMap((message, index) => {
    const path = [...opened.path, index]
    const drafts = readMessage(message, path, reading)
    reading.unit(drafts, [message], path)
    return drafts
  })
}

function readMessage(message: JSONValue, path: TranscriptPath, reading: TranscriptReading): readonly Draft[] {
  if (!isObject(message)) return []
  const { role, metadata } = message
  // Whatever is before it: a message that is saved alone is the same as in its transcript.
  const starts = role === 'assistant' ? { starts: true } : {}
  const rest = { ...omitKeys(message, ['id', 'role', 'parts', ...(isObject(metadata) ? ['metadata'] : [])]), ...starts }
  const head = {
    ...defined({ id: stringOf(message['id']), metadata: isObject(metadata) ? metadata : undefined }),
    ...(isEmpty(rest) ? {} : { provider: { 'wire:ai-sdk-ui': rest } }),
  }
  const parts = arrayOf(message['parts'])
  if (role === 'assistant') return readAssistant(parts, path, reading, head)
  const read = parts.flatMap((part, index) => readElsewhere(part, [...path, 'parts', index], reading))
  if (role === 'user' || role === 'system') return [reading.at<Draft>({ role, parts: read, ...head }, path)]
  const quoted = unknownRole(role, read)
  return quoted === undefined ? [] : [reading.at<Draft>({ ...quoted, ...head }, path)]
}

/** One UI message holds all steps of a turn: each becomes an assistant message and the results of its calls. */
function readAssistant(
  parts: readonly JSONValue[],
  path: TranscriptPath,
  reading: TranscriptReading,
  head: Omit<Draft, 'role' | 'parts'>,
): readonly Draft[] {
  const drafts: Draft[] = []
  let said: Part[] = []
  let results: Part[] = []
  let first: Omit<Draft, 'role' | 'parts'> | undefined = head
  /** Each of several drafts has an id, so that saving the message again finds all of them. */
  const later = (): Pick<Draft, 'id'> => (head.id === undefined ? {} : { id: `${head.id}#${drafts.length}` })

  function flush(): void {
    if (said.length > 0) {
      drafts.push(reading.at<Draft>({ role: 'assistant', parts: said, ...(first ?? later()) }, path))
      first = undefined
    }
    if (results.length > 0) drafts.push(reading.at<Draft>({ role: 'tool', parts: results, ...later() }, path))
    said = []
    results = []
  }

  for (const [index, part] of parts.entries()) {
    const at = [...path, 'parts', index]
    const type = field(part, 'type')
    if (type === 'step-start' && results.length > 0) flush()
    if (type === 'steering-message' && isObject(part) && !isMalformedUIPart(part)) {
      flush()
      drafts.push(readSteering(part, at, reading))
    } else if (isObject(part) && toolName(part) !== undefined && !isMalformedUIPart(part)) {
      const { call, result } = readTool(part, reading)
      said.push(reading.at(call, at))
      const { request, response } = readApproval(part)
      if (request !== undefined) said.push(reading.at(request, at))
      if (response !== undefined) results.push(reading.at(response, at))
      if (result?.providerExecuted === true) said.push(reading.at(result, at))
      else if (result !== undefined) results.push(reading.at(result, at))
    } else for (const read of readPart(part, at, reading)) said.push(read)
  }
  flush()
  return drafts.length === 0 ? [reading.at<Draft>({ role: 'assistant', parts: [], ...head }, path)] : drafts
}

/** The parts that the SDK makes of an approval on the way to a model. The UI's own form stays with the call. */
function readApproval(part: JSONObject): { readonly request?: Part; readonly response?: Part } {
  const { approval } = part
  if (!isObject(approval)) return {}
  const { id: approvalId, approved, reason, requestReason, isAutomatic, signature } = approval
  const asked = {
    ...defined({ reason: requestReason, isAutomatic, signature }),
  } as JSONObject
  const request = {
    type: 'tool-approval-request',
    approvalId: approvalId ?? '',
    toolCallId: part['toolCallId'] ?? '',
    ...asked,
  }
  const answer = {
    type: 'tool-approval-response',
    approvalId: approvalId ?? '',
    approved: approved ?? false,
    ...(defined({ reason }) as JSONObject),
  }
  return {
    request: { type: 'data', kind: 'ai-sdk:tool-approval-request', data: request },
    ...(typeof approved === 'boolean'
      ? { response: { type: 'data', kind: 'ai-sdk:tool-approval-response', data: answer } }
      : {}),
  }
}

/** Parts of a message that is not the assistant's. Calls among them are read, so that a repair can say what became of them. */
function readElsewhere(part: JSONValue, path: TranscriptPath, reading: TranscriptReading): readonly Part[] {
  const type = field(part, 'type')
  if (isObject(part) && toolName(part) !== undefined && !isMalformedUIPart(part)) {
    const { call, result } = readTool(part, reading)
    return [call, ...(result === undefined ? [] : [result])].map((read) => reading.at(read, path))
  }
  return (type === 'step-start' || type === 'steering-message') && !reading.keepMalformed
    ? []
    : readPart(part, path, reading)
}

function readSteering(part: JSONObject, path: TranscriptPath, reading: TranscriptReading): Draft {
  const parts = arrayOf(part['parts']).flatMap((inner, index) => readPart(inner, [...path, 'parts', index], reading))
  const rest = omitKeys(part, ['type', 'id', 'parts'])
  return reading.at<Draft>(
    {
      role: 'user',
      parts,
      ...defined({ id: stringOf(part['id']) }),
      provider: { 'wire:ai-sdk-ui': { ...rest, steering: true } },
    },
    path,
  )
}

function provide(part: JSONObject, known: readonly string[]): { provider?: NonNullable<Part['provider']> } {
  const rest = omitKeys(part, ['type', 'providerMetadata', ...known])
  const provider = mergeProvider(
    providerOf(part['providerMetadata']),
    isEmpty(rest) ? undefined : { 'wire:ai-sdk-ui': rest },
  )
  return defined({ provider })
}

function readPart(part: JSONValue, path: TranscriptPath, reading: TranscriptReading): readonly Part[] {
  if (!isObject(part) || isMalformedUIPart(part)) {
    return reading.keepMalformed ? [reading.at({ type: 'data', kind: 'ai-sdk-ui:unknown', data: part }, path)] : []
  }
  return [reading.at(readSound(part), path)]
}

function readSound(part: JSONObject): Part {
  const { type, text, url, mediaType } = part
  if (type === 'text') return { type: 'text', text: String(text), ...provide(part, ['text']) }
  if (type === 'reasoning') return { type: 'reasoning', text: String(text), ...provide(part, ['text']) }
  if (type === 'file' && part['providerReference'] === undefined) {
    const { source } = sourceOfUrl(String(url))
    return mediaPart(source, String(mediaType), {
      ...defined({ name: stringOf(part['filename']) }),
      ...provide(part, ['url', 'mediaType', 'filename']),
    })
  }
  return { type: 'data', kind: `ai-sdk-ui:${String(type)}`, data: part }
}

const TOOL_FIELDS = [
  'type',
  'toolName',
  'toolCallId',
  'input',
  'output',
  'errorText',
  'providerExecuted',
  'callProviderMetadata',
  'resultProviderMetadata',
  'state',
]

/** A tool part is a call and, in its final states, the result of it. */
function readTool(
  part: JSONObject,
  reading: TranscriptReading,
): { readonly call: Part; readonly result?: ToolResultPart } {
  const id = String(part['toolCallId'])
  const name = toolName(part) ?? ''
  const { input, rawInput, state } = part
  const raw = input === undefined && typeof rawInput === 'string'
  const ran = part['providerExecuted'] === true ? { providerExecuted: true as const } : {}
  const result = readResult(part, { type: 'tool-result', callId: id, name, ...ran }, reading)
  const rest = {
    ...omitKeys(part, TOOL_FIELDS),
    ...(part['type'] === 'dynamic-tool' ? { dynamic: true } : {}),
    ...(result === undefined || state === 'approval-responded' ? (defined({ state }) as JSONObject) : {}),
  }
  const provider = mergeProvider(
    providerOf(part['callProviderMetadata']),
    isEmpty(rest) ? undefined : { 'wire:ai-sdk-ui': rest },
  )
  const text = raw ? rawInput : typeof input === 'string' ? input : toJSON(input ?? {})
  const call: Part = { type: 'tool-call', id, name, arguments: String(text), ...ran, ...defined({ provider }) }
  return result === undefined ? { call } : { call, result }
}

function readResult(
  part: JSONObject,
  head: Pick<ToolResultPart, 'type' | 'callId' | 'name' | 'providerExecuted'>,
  reading: TranscriptReading,
): ToolResultPart | undefined {
  const provider = providerOf(part['resultProviderMetadata'])
  const shared = { ...head, ...defined({ provider }) }
  const { output, errorText, approval, state } = part
  if (state === 'output-available') {
    const content = field(output, 'type') === 'content' ? readOutput(output, head, provider, reading) : undefined
    if (content !== undefined) return content
    return {
      ...shared,
      output: typeof output === 'string' ? { type: 'text', text: output } : { type: 'json', value: output ?? null },
    }
  }
  if (state === 'output-error') {
    return {
      ...shared,
      output: { type: 'text', text: String(errorText) },
      outcome: errorText === INTERRUPTED ? 'interrupted' : 'error',
    }
  }
  const denied = state === 'output-denied' || (state === 'approval-responded' && field(approval, 'approved') === false)
  return denied
    ? { ...shared, output: { type: 'text', text: stringOf(field(approval, 'reason')) ?? '' }, outcome: 'denied' }
    : undefined
}
