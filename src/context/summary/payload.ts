import { parseArguments } from '../../dialects/canonical/arguments.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { AudioPart, FilePart, ImagePart, MediaPart, Part, TextPart, ToolOutput } from '../../domain/part.ts'
import { OFFLOADED_KEY } from './marker.ts'

/**
 * Something in a message that can be large. Reasoning is none: providers sign it, and refuse it when it was changed. Nor are
 * blocks that only their dialect knows. The size of media behind an address is unknown, and 0 here.
 */
export interface Payload {
  readonly kind: 'text' | 'tool result' | 'tool-call arguments' | 'agent request' | 'data' | 'image' | 'file' | 'audio'
  /** The words; of media none. */
  readonly text: string
  /** Characters of words, bytes of media. */
  readonly size: number
  /** Of media: `image/png`, `chart.png`. */
  readonly notes: readonly string[]
}

/** Says what stands in a payload's place, or nothing to leave it. */
export type Replace = (payload: Payload) => string | undefined

/** The payloads of a message, in its order. */
export function payloadsOf(draft: Draft): readonly Payload[] {
  const found: Payload[] = []
  replacePayloads(draft, (payload) => {
    found.push(payload)
    return undefined
  })
  return found
}

/**
 * The message with stubs for some of its payloads and everything else as it was: role, name, ids of calls and results,
 * metadata, all results. `replace` is asked in the order of `payloadsOf`. The very same draft if nothing was replaced.
 */
export function replacePayloads(draft: Draft, replace: Replace): Draft {
  const parts = draft.parts.map((part) => replacedPart(part, replace))
  return parts.every((part, index) => part === draft.parts[index]) ? draft : { ...draft, parts }
}

function replacedPart(part: Part, replace: Replace): Part {
  switch (part.type) {
    case 'text':
      return replacedText(part, replace)
    case 'image':
    case 'file':
    case 'audio':
      return replacedMedia(part, replace)
    case 'tool-call': {
      const stub = replace(words('tool-call arguments', part.arguments))
      return stub === undefined ? part : { ...part, arguments: stub }
    }
    case 'tool-result': {
      const output = replacedOutput(part.output, replace)
      return output === part.output ? part : { ...part, output }
    }
    case 'agent-call': {
      const stub = replace(words('agent request', JSON.stringify(part.request)))
      return stub === undefined ? part : { ...part, request: { [OFFLOADED_KEY]: stub } }
    }
    case 'data': {
      const stub = part.kind === 'structured' ? replace(words('data', JSON.stringify(part.data))) : undefined
      return stub === undefined ? part : { ...part, data: { [OFFLOADED_KEY]: stub } }
    }
    default:
      return part
  }
}

function replacedText(part: TextPart, replace: Replace): TextPart {
  const stub = replace(words('text', part.text))
  return stub === undefined ? part : { ...part, text: stub }
}

function replacedMedia(part: MediaPart, replace: Replace): MediaPart | TextPart {
  const size = bytesOf(part) ?? 0
  const name = part.type === 'audio' ? undefined : part.name
  const stub = replace({
    kind: part.type,
    text: '',
    size,
    notes: [part.mediaType, name].filter((note) => note !== undefined),
  })
  return stub === undefined ? part : { type: 'text', text: stub }
}

function replacedOutput(output: ToolOutput, replace: Replace): ToolOutput {
  if (output.type !== 'parts') {
    const text = output.type === 'text' ? output.text : JSON.stringify(output.value)
    const stub = replace(words('tool result', text))
    return stub === undefined ? output : { type: 'text', text: stub }
  }
  const parts = output.parts.map((part) => {
    if (part.type !== 'text') return replacedMedia(part, replace)
    const stub = replace(words('tool result', part.text))
    return stub === undefined ? part : { ...part, text: stub }
  })
  return parts.every((part, index) => part === output.parts[index]) ? output : { ...output, parts }
}

/**
 * Arguments with stubs for their large values: still the text of a JSON object, with the same keys. Half-written or
 * unsplittable ones become an object with the stub alone.
 */
export function shortenArguments(text: string, valueMax: number, stub: (text: string) => string): string {
  const values = parseArguments(text)
  if (values === undefined) return JSON.stringify({ [OFFLOADED_KEY]: stub(text) })
  const shortened: JSONObject = Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const written = typeof value === 'string' ? value : JSON.stringify(value)
      const stubbed = written.length > valueMax ? stub(written) : written
      return [key, stubbed.length < written.length ? stubbed : value]
    }),
  )
  const whole = JSON.stringify({ [OFFLOADED_KEY]: stub(text) })
  const byValue = JSON.stringify(shortened)
  // Hundreds of small values: no single one is worth a stub, all together are.
  return byValue.length > text.length / 2 && whole.length < byValue.length ? whole : byValue
}

function words(kind: Payload['kind'], text: string): Payload {
  return { kind, text, size: text.length, notes: [] }
}

function bytesOf({ source }: ImagePart | FilePart | AudioPart): number | undefined {
  if (source.type === 'blob') return source.bytes
  if (source.type === 'base64') return Math.floor((source.base64.length * 3) / 4)
  return source.url.startsWith('data:') ? source.url.length : undefined
}
