import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { MediaPart, Part, ToolOutput, ToolResultPart } from '../../domain/part.ts'
import { arrayOf, field, isArray, isEmpty, isObject, objectOf } from '../canonical/json.ts'
import { stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { INTERRUPTED } from '../canonical/marks.ts'
import { mediaPart } from '../canonical/media.ts'
import { unknownRole } from '../canonical/opaque-block.ts'
import { provided } from '../canonical/provider.ts'
import type { TranscriptReading } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { OpenCalls } from './open-calls.ts'

interface Opened {
  readonly system: JSONValue | undefined
  readonly contents: readonly JSONValue[]
  readonly path: TranscriptPath
}

/** An array of contents, or a request body. */
export function geminiContents(wire: unknown): Opened | undefined {
  if (isArray(wire)) return { system: undefined, contents: wire, path: [] }
  const contents = field(wire, 'contents')
  return isArray(contents) ? { system: field(wire, 'systemInstruction'), contents, path: ['contents'] } : undefined
}

export function readGemini(wire: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  const opened = geminiContents(wire)
  if (opened === undefined) return undefined
  const calls = new Calls(opened.contents)
  const drafts = opened.contents.flatMap((content, index) => {
    const path = [...opened.path, index]
    const read = readContent(content, path, reading, calls)
    reading.unit(read, [content], path)
    return read
  })
  return [...readSystem(opened.system, reading), ...drafts]
}

function readSystem(system: JSONValue | undefined, reading: TranscriptReading): readonly Draft[] {
  const parts = typeof system === 'string' ? [{ text: system }] : arrayOf(field(system, 'parts'))
  return parts.flatMap((part, index) => {
    const text = stringOf(field(part, 'text'))
    if (text === undefined) return []
    const path = ['systemInstruction', 'parts', index]
    return [reading.at({ role: 'system' as const, parts: [reading.at({ type: 'text' as const, text }, path)] }, path)]
  })
}

/** Gemini 2 sends calls without ids: they get one here, and results find it by name and order. */
class Calls {
  readonly #used: Set<unknown>
  #count = 0
  #open = new OpenCalls<string>()

  constructor(contents: readonly JSONValue[]) {
    const parts = contents.flatMap((content) => arrayOf(field(content, 'parts')))
    this.#used = new Set(parts.map((part) => field(field(part, 'functionCall'), 'id')))
  }

  /** A new turn of the model: results that follow answer its calls. */
  turn(): void {
    this.#open = new OpenCalls()
  }

  add(id: string | undefined, name: string): string {
    let given = id
    while (given === undefined || (id === undefined && this.#used.has(given))) given = `call_${++this.#count}`
    this.#open.add(given, { id, name })
    return given
  }

  answer(id: string | undefined, name: string): string | undefined {
    return this.#open.take({ id, name }) ?? id
  }
}

function readContent(
  content: unknown,
  path: TranscriptPath,
  reading: TranscriptReading,
  calls: Calls,
): readonly Draft[] {
  if (!isObject(content)) return []
  const role = content['role']
  if (role === 'model') calls.turn()
  const parts = arrayOf(content['parts']).flatMap((part, index): readonly Part[] => {
    const at = [...path, 'parts', index]
    const read = readPart(part, reading, calls)
    return read === undefined ? [] : [reading.at(read, at)]
  })
  const provider = provided(['wire:gemini', omitKeys(content, ['role', 'parts'])])
  if (role === 'model') return [reading.at({ role: 'assistant' as const, parts, ...provider }, path)]
  if (role === 'system') return [reading.at({ role: 'system' as const, parts, ...provider }, path)]
  if (role !== 'user' && role !== 'function') {
    const quoted = unknownRole(role, parts)
    return quoted === undefined ? [] : [reading.at(quoted, path)]
  }
  const results = parts.filter((part) => part.type === 'tool-result')
  const others = parts.filter((part) => part.type !== 'tool-result')
  const drafts: Draft[] = []
  if (results.length > 0) drafts.push(reading.at({ role: 'tool' as const, parts: results }, path))
  if (others.length > 0 || results.length === 0)
    drafts.push(reading.at({ role: 'user' as const, parts: others, ...provider }, path))
  return drafts
}

/** Fields that say something about a payload and are none. */
const MODIFIERS: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'videoMetadata', 'partMetadata'])

/** What is wrong with a part that has a known payload; nothing when it is fine or unknown. */
export function partFault(part: unknown): string | undefined {
  if (!isObject(part) || Object.keys(part).every((key) => MODIFIERS.has(key)))
    return 'expected an object with text, functionCall, functionResponse, inlineData or fileData'
  const { text, functionCall: call, functionResponse: response, inlineData: inline, fileData: file } = part
  const { thoughtSignature: signature } = part
  const known = [text, call, response, inline, file].some((payload) => payload !== undefined)
  if (!known && signature !== undefined && (typeof signature !== 'string' || signature === ''))
    return 'expected thoughtSignature to be a string'
  if (text !== undefined && typeof text !== 'string') return 'expected text to be a string'
  if (call !== undefined && (typeof field(call, 'name') !== 'string' || !isId(field(call, 'id'))))
    return 'expected functionCall to have a name'
  if (response !== undefined && (typeof field(response, 'name') !== 'string' || !isId(field(response, 'id'))))
    return 'expected functionResponse to have a name'
  if (
    inline !== undefined &&
    (typeof field(inline, 'data') !== 'string' || typeof field(inline, 'mimeType') !== 'string')
  )
    return 'expected inlineData to have mimeType and data'
  if (file !== undefined && typeof field(file, 'fileUri') !== 'string') return 'expected fileData to have fileUri'
  return undefined
}

function isId(id: unknown): boolean {
  return id === undefined || typeof id === 'string'
}

function readPart(part: JSONValue, reading: TranscriptReading, calls: Calls): Part | undefined {
  if (partFault(part) !== undefined || !isObject(part)) {
    return reading.keepMalformed ? { type: 'data', kind: 'gemini:unknown', data: part } : undefined
  }
  const { text, functionCall: call, functionResponse: response, inlineData: inline, fileData: file } = part
  const opaqueKind = Object.keys(part).find((key) => !MODIFIERS.has(key) && isObject(part[key]))
  if (isObject(call)) return readCall(part, call, calls, reading)
  if (isObject(response)) return readResponse(part, response, calls, reading)
  if (part['thought'] === true && (isObject(inline) || isObject(file)))
    return { type: 'data', kind: 'gemini:thought', data: part }
  if (isObject(inline) || isObject(file)) return readMedia(part, reading)
  if (typeof text === 'string') {
    if (part['thought'] === true) return { type: 'reasoning', text, ...provide(part, ['text', 'thought'], reading) }
    return { type: 'text', text, ...provide(part, ['text'], reading) }
  }
  return { type: 'data', kind: `gemini:${opaqueKind ?? 'unknown'}`, data: part }
}

function provide(
  part: JSONObject,
  known: readonly string[],
  reading: TranscriptReading,
  wire: JSONObject = {},
): ReturnType<typeof provided> {
  const { thoughtSignature, videoMetadata } = part
  const signature = typeof thoughtSignature === 'string' && thoughtSignature !== '' ? { thoughtSignature } : {}
  const torn =
    thoughtSignature !== undefined && reading.keepMalformed && !('thoughtSignature' in signature)
      ? { thoughtSignature }
      : {}
  const video = defined({ videoMetadata }) as JSONObject
  const rest = omitKeys(part, ['thoughtSignature', 'videoMetadata', ...known])
  return provided(['google', { ...signature, ...video }], ['wire:gemini', { ...rest, ...torn, ...wire }])
}

/** Fields of the payload itself, such as `displayName`, are kept under `media`. */
function readMedia(part: JSONObject, reading: TranscriptReading, wire: JSONObject = {}): MediaPart {
  const inline = objectOf(part['inlineData'])
  const payload = inline ?? objectOf(part['fileData']) ?? {}
  const source: MediaPart['source'] =
    inline === undefined
      ? { type: 'url', url: String(payload['fileUri']) }
      : { type: 'base64', base64: String(inline['data']) }
  const media = omitKeys(payload, ['mimeType', 'data', 'fileUri'])
  const { provider } = provide(part, ['inlineData', 'fileData'], reading, {
    ...wire,
    ...(isEmpty(media) ? {} : { media }),
  })
  return mediaPart(source, stringOf(payload['mimeType']) ?? 'image', defined({ provider }))
}

function readCall(part: JSONObject, call: JSONObject, calls: Calls, reading: TranscriptReading): Part {
  const id = stringOf(call['id'])
  const name = String(call['name'])
  const given = call['args']
  const text = typeof given === 'string' ? given : toJSON(given ?? {})
  const more = omitKeys(call, ['id', 'name', 'args'])
  const wire = { ...(id === undefined ? { noId: true } : {}), ...(isEmpty(more) ? {} : { call: more }) }
  return {
    type: 'tool-call',
    id: calls.add(id, name),
    name,
    arguments: text,
    ...provide(part, ['functionCall'], reading, wire),
  }
}

function readResponse(part: JSONObject, response: JSONObject, calls: Calls, reading: TranscriptReading): Part {
  const id = stringOf(response['id'])
  const name = String(response['name'])
  const callId = calls.answer(id, name)
  const { output, outcome, bare } = readOutcome(response, name, reading)
  const more = omitKeys(response, ['id', 'name', 'response', 'parts'])
  const wire = {
    ...(id === undefined ? { noId: true } : {}),
    ...(bare ? { bareResponse: true } : {}),
    ...(isEmpty(more) ? {} : { response: more }),
  }
  const provider = provide(part, ['functionResponse'], reading, wire)
  return {
    type: 'tool-result',
    ...defined({ callId }),
    name,
    output,
    ...defined({ outcome }),
    ...provider,
  }
}

/** `{ name, content }` and `{ name, error }` are what we and the AI SDK write; anything else is somebody's own object. */
function readOutcome(
  response: JSONObject,
  name: string,
  reading: TranscriptReading,
): { output: ToolOutput; outcome?: ToolResultPart['outcome']; bare: boolean } {
  const body = response['response']
  const keys = isObject(body) ? Object.keys(body) : []
  const ours = keys.length === 2 && field(body, 'name') === name
  const error = field(body, 'error')
  const content = field(body, 'content')
  if (ours && error !== undefined) {
    const outcome = error === INTERRUPTED ? 'interrupted' : 'error'
    return { output: valueOutput(error), outcome, bare: false }
  }
  const media = arrayOf(response['parts']).flatMap((part) => {
    if (!isObject(part) || partFault(part) !== undefined) return []
    if (isObject(part['inlineData'])) return [readMedia(part, reading)]
    return isObject(part['fileData']) ? [readMedia(part, reading, { inside: true })] : []
  })
  if (media.length > 0) {
    const said = ours && typeof content === 'string'
    const text = said ? content : toJSON(body ?? {})
    const parts = text === '' ? media : [{ type: 'text' as const, text }, ...media]
    return { output: { type: 'parts', parts }, bare: !said && isObject(body) }
  }
  if (ours && content !== undefined) return { output: valueOutput(content), bare: false }
  if (isObject(body)) return { output: { type: 'json', value: body }, bare: true }
  return { output: body === undefined ? { type: 'text', text: '' } : valueOutput(body), bare: false }
}

function valueOutput(value: JSONValue): ToolOutput {
  return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value }
}
