import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type {
  MediaPart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/part.ts'
import { argumentsObject, parseArguments } from '../canonical/arguments.ts'
import { express, type Abilities } from '../canonical/express.ts'
import { field, isArray, isObject, objectOf, toJSON, omitKeys } from '../canonical/json.ts'
import { CONTINUE } from '../canonical/marks.ts'
import { base64Of, mediaPlaceholder, mediaTypeOf } from '../canonical/media.ts'
import { outputText } from '../canonical/output.ts'
import { opaque, opaqueText, wireFields } from '../canonical/provider.ts'
import type { Writing } from '../codec.ts'
import { requiresSignatures, SKIP_SIGNATURE } from './model.ts'
import { currentContentStart, unsignedCall } from './turn.ts'
import type { GeminiContent, GeminiPart, GeminiPrompt } from './types.ts'

const ABILITIES: Abilities = {
  reasoning: (part) => part.text !== '' || signatureOf(part) !== undefined,
  data: (part, role) => {
    if (!part.kind.startsWith('gemini:')) return false
    return role === 'assistant' || (role === 'user' && field(part.data, 'thought') !== true)
  },
  executed: () => false,
  media: (_, role) => role !== 'system',
  blankText: true,
  emptyText: (part, role) => role !== 'system' && signatureOf(part) !== undefined,
  laterSystem: () => false,
  userFirst: 'G2',
}

function signatureOf(part: TextPart | ReasoningPart): string | undefined {
  return opaqueText(part, 'google', 'thoughtSignature')
}

/** Drafts as a generateContent prompt. */
export function writeGemini(drafts: readonly Draft[], writing: Writing): GeminiPrompt {
  const said = express(drafts, ABILITIES, writing)
  const calls = callsOf(said)
  const start = said.findIndex((draft) => draft.role !== 'system')
  const system = said
    .slice(0, start)
    .flatMap((draft) => draft.parts.flatMap((part) => (part.type === 'text' ? [{ text: part.text }] : [])))
  const contents = group(said.slice(start), writing).flatMap((run) => writeRun(run, calls, writing))
  return {
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    contents: end(sign(contents, writing), writing),
  }
}

/** Runs of the model are one content (G2), and so are runs of results (G3), and what was one content and stayed whole. */
function group(drafts: readonly Draft[], writing: Writing): readonly (readonly Draft[])[] {
  const groups: Draft[][] = []
  for (const draft of drafts) {
    const last = groups.at(-1)
    const one = last !== undefined && draft.role !== 'user' && last[0]?.role === draft.role
    if (last !== undefined && (one || (draft.role === 'user' && writing.verbatim([...last, draft]) !== undefined)))
      last.push(draft)
    else groups.push([draft])
  }
  return groups
}

interface Call {
  readonly name: string
  readonly order: number
  /** Gemini sent it without an id, so its response has none either. */
  readonly nameless: boolean
}

type Calls = ReadonlyMap<string | undefined, Call>

function callsOf(drafts: readonly Draft[]): Calls {
  const calls = new Map<string, Call>()
  for (const draft of drafts) {
    for (const part of draft.parts) {
      if (part.type !== 'tool-call') continue
      calls.set(part.id, { name: part.name, order: calls.size, nameless: wireFields(part, 'gemini')['noId'] === true })
    }
  }
  return calls
}

/** Responses without ids are told apart by their order, which must be the order of the calls. */
function inCallOrder(parts: readonly Part[], calls: Calls): readonly Part[] {
  function orderOf(part: Part): number {
    return part.type === 'tool-result' ? (calls.get(part.callId)?.order ?? 0) : 0
  }
  const nameless = parts.some((part) => part.type === 'tool-result' && calls.get(part.callId)?.nameless === true)
  return nameless ? parts.toSorted((a, b) => orderOf(a) - orderOf(b)) : parts
}

function writeRun(run: readonly Draft[], calls: Calls, writing: Writing): readonly GeminiContent[] {
  const same = writing.verbatim(run)
  if (same !== undefined) return same as unknown as readonly GeminiContent[]
  const role = run[0]?.role === 'assistant' ? 'model' : 'user'
  const said = run.flatMap((draft) => draft.parts)
  const parts = inCallOrder(said, calls).flatMap((part) => writePart(part, calls, writing))
  return parts.length === 0 ? [] : [{ ...(run[0] === undefined ? {} : wireFields(run[0], 'gemini')), role, parts }]
}

/** What we noted about the inside of a part: no fields of the part itself. */
const INNER = ['noId', 'bareResponse', 'media', 'call', 'response', 'inside']

function writePart(part: Part, calls: Calls, writing: Writing): readonly GeminiPart[] {
  const rest = omitKeys(wireFields(part, 'gemini'), INNER)
  const signature = defined({ thoughtSignature: opaqueText(part, 'google', 'thoughtSignature') })
  switch (part.type) {
    case 'text':
      return [{ ...rest, text: part.text, ...signature }]
    case 'reasoning':
      return [{ ...rest, text: part.text, thought: true, ...signature }]
    case 'image':
    case 'file':
    case 'audio':
      return [
        {
          ...rest,
          ...writeMedia(part, writing),
          ...defined({ videoMetadata: opaque(part, 'google', 'videoMetadata') }),
          ...signature,
        },
      ]
    case 'tool-call':
      return [
        {
          ...rest,
          functionCall: {
            ...kept(part, 'call'),
            ...idOf(part),
            name: part.name,
            args: argumentsObject(part.arguments),
          },
          ...signature,
        },
      ]
    case 'tool-result':
      return besideOrInside({ ...rest, functionResponse: writeResponse(part, calls, writing), ...signature }, writing)
    case 'data':
      return [part.data as unknown as GeminiPart]
    default:
      return []
  }
}

/** Media inside a response came with Gemini 3; for a model known to be older they are beside it. */
function besideOrInside(part: GeminiPart, writing: Writing): readonly GeminiPart[] {
  const { parts, ...response } = part.functionResponse ?? { name: '', response: {} }
  if (parts === undefined || requiresSignatures(writing.options.model) !== false) return [part]
  return [{ ...part, functionResponse: response }, ...parts]
}

function idOf(call: ToolCallPart): { id?: string } {
  return wireFields(call, 'gemini')['noId'] === true ? {} : { id: call.id }
}

function writeMedia(part: MediaPart, writing: Writing): GeminiPart {
  const data = base64Of(part.source, writing.blobs)
  const more = kept(part, 'media')
  if (data !== undefined) return { inlineData: { ...more, mimeType: mediaTypeOf(part, data), data } }
  const fileUri = part.source.type === 'url' ? part.source.url : ''
  return { fileData: { ...more, ...defined({ mimeType: part.mediaType }), fileUri } }
}

/** Fields that stood inside a payload. */
function kept(part: Part, key: 'media' | 'call' | 'response'): JSONObject {
  return objectOf(wireFields(part, 'gemini')[key]) ?? {}
}

type Response = NonNullable<GeminiPart['functionResponse']>

function writeResponse(part: ToolResultPart, calls: Calls, writing: Writing): Response {
  const call = calls.get(part.callId)
  const name = call?.name ?? part.name ?? 'unknown'
  const more = kept(part, 'response')
  const shared = { ...more, ...(call?.nameless === true ? {} : defined({ id: part.callId })), name }
  const { output } = part
  const bare = wireFields(part, 'gemini')['bareResponse'] === true
  if (bare && output.type === 'json' && isObject(output.value)) return { ...shared, response: output.value }
  if (part.outcome !== undefined && part.outcome !== 'ok')
    return { ...shared, response: { name, error: contentOf(output) } }
  if (output.type !== 'parts') return { ...shared, response: { name, content: contentOf(output) } }
  const media = output.parts.flatMap((block) => (goesInside(block) ? [writeMedia(block, writing)] : []))
  const text = output.parts
    .flatMap((block) => (block.type === 'text' ? [block.text] : goesInside(block) ? [] : [mediaPlaceholder(block)]))
    .join('\n')
  const response = (bare ? parseArguments(text) : undefined) ?? { name, content: text }
  return { ...shared, response, ...(media.length === 0 ? {} : { parts: media }) }
}

/** Addresses stand in a response only where they came in one: Gemini reads its own files there, and no others. */
function goesInside(block: Extract<ToolOutput, { type: 'parts' }>['parts'][number]): block is MediaPart {
  return block.type !== 'text' && (block.source.type !== 'url' || wireFields(block, 'gemini')['inside'] === true)
}

/** `$ref` in a structured response names a media part; a JSON schema that a tool returns must not be taken for one. */
function contentOf(output: ToolOutput): JSONValue {
  if (output.type !== 'json') return outputText(output)
  return hasReference(output.value) ? toJSON(output.value) : output.value
}

function hasReference(value: JSONValue): boolean {
  const pending: JSONValue[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isArray(next)) for (const item of next) pending.push(item)
    else if (isObject(next)) {
      if (Object.hasOwn(next, '$ref')) return true
      for (const item of Object.values(next as JSONObject)) pending.push(item)
    }
  }
  return false
}

/** G5: the documented stand-in for signatures that are lost. */
function sign(contents: GeminiContent[], writing: Writing): GeminiContent[] {
  if (requiresSignatures(writing.options.model) !== true) return contents
  const from = currentContentStart(contents)
  return contents.map((content, index) => {
    const at = index < from ? undefined : unsignedCall(content)
    if (at === undefined) return content
    writing.note('G5', 'synthesised', undefined, `Added the signature "${SKIP_SIGNATURE}" to a call that had none`)
    const parts = content.parts.map((part, place) =>
      place === at ? { ...part, thoughtSignature: SKIP_SIGNATURE } : part,
    )
    return { ...content, parts }
  })
}

/** G7 is unconfirmed: only a repair, which satisfies such rules too, adds a line from the user. */
function end(contents: GeminiContent[], writing: Writing): GeminiContent[] {
  if (writing.options.unconfirmed !== 'error' || contents.at(-1)?.role !== 'model') return contents
  writing.note(
    'G7',
    'synthesised',
    undefined,
    `Added a user content "${CONTINUE}": the transcript ended with the model`,
  )
  return [...contents, { role: 'user', parts: [{ text: CONTINUE }] }]
}
