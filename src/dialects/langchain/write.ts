import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { MediaPart, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import { argumentsObject } from '../canonical/arguments.ts'
import { CallNames } from '../canonical/call-names.ts'
import { express, type Abilities } from '../canonical/express.ts'
import { isArray, isObject, omitKeys } from '../canonical/json.ts'
import { base64Of, urlOf } from '../canonical/media.ts'
import { outputText } from '../canonical/output.ts'
import { opaqueText, wireFields } from '../canonical/provider.ts'
import type { Writing } from '../codec.ts'
import type { LangChainStored } from './stored.ts'
import type { LangChainBlock, LangChainData, LangChainMessage } from './types.ts'

const ABILITIES: Abilities = {
  reasoning: (part) =>
    part.text !== '' ||
    opaqueText(part, 'anthropic', 'redactedData') !== undefined ||
    opaqueText(part, 'anthropic', 'signature') !== undefined,
  data: (part, role) => part.kind.startsWith('langchain:') && role !== 'tool',
  executed: () => false,
  media: (_, role) => role !== 'system',
  blankText: true,
  laterSystem: () => true,
}

/** Drafts as stored LangChain messages. */
export function writeLangChain(drafts: readonly Draft[], writing: Writing): LangChainStored[] {
  const said = express(drafts, ABILITIES, writing)
  const names = new CallNames()
  for (const draft of said) for (const part of draft.parts) if (part.type === 'tool-call') names.add(part.id, part.name)
  const messages = said.flatMap(
    (draft) =>
      (writing.verbatim([draft]) as unknown as LangChainMessage[] | undefined) ?? writeDraft(draft, names, writing),
  )
  // The type is LangChain's, which has no blocks and demands keys that may be missing.
  return messages as readonly object[] as LangChainStored[]
}

const TYPES = { system: 'system', user: 'human', assistant: 'ai' } as const

function writeDraft(draft: Draft, names: CallNames, writing: Writing): readonly LangChainMessage[] {
  if (draft.role === 'tool') {
    return draft.parts.flatMap((part) => {
      if (part.type !== 'tool-result') return []
      const name = defined({ name: part.name ?? names.get(part.callId) ?? draft.name })
      return [{ type: 'tool' as const, data: { ...writeResult(part, draft, writing), ...name } }]
    })
  }
  const blocks = draft.parts.flatMap((part) => writePart(part, writing))
  const calls = draft.parts.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    return [
      {
        ...omitKeys(wireFields(part, 'langchain'), ['block']),
        type: 'tool_call' as const,
        id: part.id,
        name: part.name,
        args: argumentsObject(part.arguments),
      },
    ]
  })
  if (blocks.length === 0 && calls.length === 0) return []
  const data = { ...envelope(draft), content: shorten(blocks), ...(calls.length === 0 ? {} : { tool_calls: calls }) }
  return [{ type: TYPES[draft.role], data }]
}

function envelope(draft: Draft): Omit<LangChainData, 'content'> {
  const { additional_kwargs: more, response_metadata: metadata, ...rest } = wireFields(draft, 'langchain')
  return {
    ...rest,
    ...defined({ id: draft.id, name: draft.name }),
    additional_kwargs: isObject(more) ? more : {},
    response_metadata: isObject(metadata) ? metadata : {},
  }
}

function shorten(blocks: LangChainBlock[]): string | LangChainBlock[] {
  const [only] = blocks
  if (only === undefined) return ''
  return blocks.length === 1 && only.type === 'text' && Object.keys(only).length === 2 ? only.text : blocks
}

function writePart(part: Part, writing: Writing): readonly LangChainBlock[] {
  const rest = wireFields(part, 'langchain')
  switch (part.type) {
    case 'text':
      return [{ ...rest, type: 'text', text: part.text }]
    case 'reasoning':
      return [{ ...rest, ...writeReasoning(part) }]
    case 'image':
    case 'file':
    case 'audio':
      return [writeMedia(part, writing)]
    case 'tool-call':
      return writeCallBlock(part)
    case 'data':
      return [part.data as unknown as LangChainBlock]
    default:
      return []
  }
}

function writeReasoning(part: ReasoningPart): LangChainBlock {
  const signature = opaqueText(part, 'anthropic', 'signature')
  const data = opaqueText(part, 'anthropic', 'redactedData')
  if (signature !== undefined) return { type: 'thinking', thinking: part.text, signature }
  return data === undefined ? { type: 'reasoning', reasoning: part.text } : { type: 'redacted_thinking', data }
}

/** A call stands among the blocks only where it did when it came. */
function writeCallBlock(part: ToolCallPart): readonly LangChainBlock[] {
  const block = wireFields(part, 'langchain')['block']
  if (!isObject(block)) return []
  const given = { [block['type'] === 'tool_call' ? 'args' : 'input']: argumentsObject(part.arguments) }
  return [{ ...block, id: part.id, name: part.name, ...given } as unknown as LangChainBlock]
}

function writeMedia(part: MediaPart, writing: Writing): LangChainBlock {
  const { block, ...rest } = wireFields(part, 'langchain')
  const data = base64Of(part.source, writing.blobs)
  const place = data === undefined ? { url: part.source.type === 'url' ? part.source.url : '' } : { data }
  if (typeof block === 'string') return { ...rest, type: block, ...place } as unknown as LangChainBlock
  if (part.type === 'image') {
    const image = { url: urlOf(part, writing.blobs), ...defined({ detail: part.detail }) }
    return { ...rest, type: 'image_url', image_url: image }
  }
  const name = part.type === 'file' ? part.name : undefined
  return {
    ...rest,
    type: part.type,
    mimeType: part.mediaType,
    ...place,
    ...(name === undefined ? {} : { metadata: { filename: name } }),
  }
}

function writeResult(part: ToolResultPart, draft: Draft, writing: Writing): LangChainData {
  const failed = part.outcome !== undefined && part.outcome !== 'ok'
  const content = writeOutput(part, writing)
  return { ...envelope(draft), content, tool_call_id: part.callId ?? '', status: failed ? 'error' : 'success' }
}

function writeOutput(part: ToolResultPart, writing: Writing): LangChainData['content'] {
  const { output } = part
  const whole = output.type === 'json' && wireFields(part, 'langchain')['blocks'] === true
  if (whole && isArray(output.value) && output.value.length > 0) return output.value as unknown as LangChainBlock[]
  if (output.type !== 'parts' || output.parts.length === 0) return outputText(output)
  return output.parts.flatMap((block) => writePart(block, writing))
}
