import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { MediaPart, Part, TextPart, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import { argumentsText, parseArguments } from '../canonical/arguments.ts'
import { express, joinDrafts, type Abilities } from '../canonical/express.ts'
import { fitIdentifiers, type IdentifierRules } from '../canonical/identifiers.ts'
import { isObject, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { base64Of, mediaPlaceholder, urlOf } from '../canonical/media.ts'
import { outputText } from '../canonical/output.ts'
import { opaque, opaqueText, wireFields } from '../canonical/provider.ts'
import type { Writing } from '../codec.ts'
import type {
  OpenAIAssistantMessage,
  OpenAICustomToolCall,
  OpenAIMessage,
  OpenAIRefusalPart,
  OpenAITextPart,
  OpenAIToolCall,
  OpenAIUserPart,
} from './types.ts'

const SOUNDS: readonly string[] = ['audio/wav', 'audio/mp3', 'audio/mpeg']

/** O3 and O6 have unconfirmed halves; what they ask for costs nothing, so it is always done. */
const IDENTIFIERS: IdentifierRules = {
  idRule: 'O3',
  id: /^[^]+$/,
  idMax: 40,
  nameRule: 'O6',
  name: /^[a-zA-Z0-9_-]{1,64}$/,
}

function abilities(strict: boolean): Abilities {
  return {
    reasoning: (part) => wireFields(part, 'openai')['field'] === 'reasoning_content',
    data: (part, role) => {
      if (!part.kind.startsWith('openai:') || strict || role === 'tool' || role === 'system') return false
      return role === 'user' || part.kind !== 'openai:file'
    },
    executed: () => false,
    media: canShow,
    blankText: true,
    laterSystem: () => !strict,
    ...(strict ? { userFirst: 'O7' } : {}),
  }
}

function canShow(part: MediaPart, role: Draft['role']): boolean {
  if (role === 'assistant') return part.type === 'audio' && opaqueText(part, 'openai', 'audioId') !== undefined
  if (role !== 'user') return false
  if (part.type === 'image') return true
  return part.source.type !== 'url' && (part.type === 'file' || SOUNDS.includes(part.mediaType))
}

/** Drafts as Chat Completions messages. */
export function writeOpenAI(drafts: readonly Draft[], writing: Writing): OpenAIMessage[] {
  const strict = writing.options.profile === 'openai-compatible-strict'
  const fit = fitIdentifiers(express(drafts, abilities(strict), writing), IDENTIFIERS, writing)
  const said = strict ? takeTurns(fit, writing) : fit
  return said.flatMap(
    (draft) => (writing.verbatim([draft]) as OpenAIMessage[] | undefined) ?? writeDraft(draft, writing, strict),
  )
}

/** O7: one system message, and neighbours of the same role become one. */
function takeTurns(drafts: readonly Draft[], writing: Writing): readonly Draft[] {
  const turns: Draft[] = []
  for (const draft of drafts) {
    const previous = turns.at(-1)
    if (previous === undefined || draft.role === 'tool' || previous.role !== draft.role) {
      turns.push(draft)
      continue
    }
    writing.note('O7', 'merged', draft, `Merged two neighbouring messages with role "${draft.role}"`)
    turns[turns.length - 1] = joinDrafts(previous, draft)
  }
  return turns
}

function writeDraft(draft: Draft, writing: Writing, strict: boolean): readonly OpenAIMessage[] {
  const { role: wireRole, ...rest } = wireFields(draft, 'openai')
  const name = defined({ name: draft.name })
  switch (draft.role) {
    case 'system': {
      const content = draft.parts.flatMap((part) => (part.type === 'text' ? [writeText(part)] : []))
      const role = wireRole === 'developer' ? 'developer' : 'system'
      return content.length === 0 ? [] : [{ ...rest, role, content: shorten(content, strict), ...name }]
    }
    case 'user': {
      const content = draft.parts.flatMap((part) => writeUserPart(part, writing))
      return content.length === 0 ? [] : [{ ...rest, role: 'user', content: shorten(content, strict), ...name }]
    }
    case 'assistant':
      return [{ ...rest, ...writeAssistant(draft, strict), ...name }]
    case 'tool':
      return draft.parts.flatMap((part) => {
        if (part.type !== 'tool-result') return []
        return [{ ...rest, role: 'tool', tool_call_id: part.callId ?? '', content: writeResult(part), ...name }]
      })
  }
}

/** One plain text is a string, as everybody writes it; strict servers want a string wherever there is text only. */
function shorten<P extends { type: string }>(content: P[], strict: boolean): string | P[] {
  const texts = content.flatMap((part) =>
    part.type === 'text' && Object.keys(part).length === 2 ? [(part as unknown as OpenAITextPart).text] : [],
  )
  const only = texts[0]
  if (only !== undefined && content.length === 1) return only
  return strict && texts.length === content.length ? texts.join('\n\n') : content
}

function writeText(part: TextPart): OpenAITextPart {
  return { ...wireFields(part, 'openai'), type: 'text', text: part.text, ...breakpoint(part) }
}

function breakpoint(part: Part): object {
  return defined({ prompt_cache_breakpoint: opaque(part, 'openai', 'promptCacheBreakpoint') })
}

function writeUserPart(part: Part, writing: Writing): readonly OpenAIUserPart[] {
  const rest = wireFields(part, 'openai')
  switch (part.type) {
    case 'text':
      return [writeText(part)]
    case 'image': {
      const { image, ...around } = rest
      const inside = isObject(image) ? image : {}
      return [
        {
          ...around,
          type: 'image_url',
          image_url: { ...inside, url: urlOf(part, writing.blobs), ...defined({ detail: part.detail }) },
          ...breakpoint(part),
        },
      ]
    }
    case 'audio': {
      const format = part.mediaType === 'audio/wav' ? 'wav' : 'mp3'
      return [
        {
          ...rest,
          type: 'input_audio',
          input_audio: { data: base64Of(part.source, writing.blobs) ?? '', format },
          ...breakpoint(part),
        },
      ]
    }
    case 'file':
      return [
        {
          ...rest,
          type: 'file',
          file: { filename: part.name ?? 'file.pdf', file_data: urlOf(part, writing.blobs) },
          ...breakpoint(part),
        },
      ]
    case 'data':
      return [part.data as unknown as OpenAIUserPart]
    default:
      return []
  }
}

function writeAssistant(draft: Draft, strict: boolean): OpenAIAssistantMessage {
  const blocks: (OpenAITextPart | OpenAIRefusalPart)[] = []
  const calls: (OpenAIToolCall | OpenAICustomToolCall)[] = []
  let audio: { id: string } | undefined
  let thought = ''
  for (const part of draft.parts) {
    if (part.type === 'text') blocks.push(isRefusal(part) ? { type: 'refusal', refusal: part.text } : writeText(part))
    else if (part.type === 'tool-call') calls.push(writeCall(part))
    else if (part.type === 'reasoning') thought += part.text
    else if (part.type === 'audio') audio = { id: opaqueText(part, 'openai', 'audioId') ?? '' }
    else if (part.type === 'data' && part.kind === 'openai:audio') audio = part.data as unknown as { id: string }
    else if (part.type === 'data') blocks.push(part.data as unknown as OpenAITextPart)
  }
  const refusal = !strict && blocks.length === 1 && blocks[0]?.type === 'refusal' ? blocks[0].refusal : undefined
  const content = refusal === undefined ? assistantContent(blocks, strict) : null
  return {
    role: 'assistant',
    content: strict && content === null ? '' : content,
    ...defined({ refusal, audio }),
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function isRefusal(part: TextPart): boolean {
  return opaque(part, 'openai', 'refusal') === true
}

/** Plain texts are joined, because many servers take no array from the assistant. */
function assistantContent(
  blocks: (OpenAITextPart | OpenAIRefusalPart)[],
  strict: boolean,
): (OpenAIAssistantMessage['content'] & {}) | null {
  if (blocks.length === 0) return null
  if (strict) return blocks.map((block) => (block.type === 'text' ? block.text : block.refusal)).join('\n\n')
  const plain = blocks.every((block) => block.type === 'text' && Object.keys(block).length === 2)
  return plain ? blocks.map((block) => (block.type === 'text' ? block.text : '')).join('') : blocks
}

function writeCall(part: ToolCallPart): OpenAIToolCall | OpenAICustomToolCall {
  const rest = omitKeys(wireFields(part, 'openai'), ['type'])
  if (wireFields(part, 'openai')['type'] === 'custom') {
    const input = parseArguments(part.arguments)?.['input']
    return {
      ...rest,
      id: part.id,
      type: 'custom',
      custom: { name: part.name, input: stringOf(input) ?? toJSON(input) },
    }
  }
  return {
    ...rest,
    id: part.id,
    type: 'function',
    function: { name: part.name, arguments: argumentsText(part.arguments) },
  }
}

function writeResult(part: ToolResultPart): string | OpenAITextPart[] {
  if (part.output.type !== 'parts' || part.outcome === 'error' || part.output.parts.length === 0)
    return writeOutcome(part)
  return part.output.parts.map((block) =>
    block.type === 'text' ? writeText(block) : { type: 'text', text: mediaPlaceholder(block) },
  )
}

/** OpenAI has no field for failure: an error is written as the AI SDK writes it, `{"error": …}`. */
export function writeOutcome(part: ToolResultPart): string {
  if (part.outcome !== 'error') return outputText(part.output)
  return toJSON({ error: part.output.type === 'json' ? part.output.value : outputText(part.output) })
}
