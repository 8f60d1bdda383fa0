import { defined } from '../../domain/defined.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type {
  FilePart,
  ImagePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../domain/part.ts'
import { argumentsText, parseArguments } from '../canonical/arguments.ts'
import { express, type Abilities } from '../canonical/express.ts'
import { field, isArray, isObject, stringOf, toJSON, omitKeys } from '../canonical/json.ts'
import { mediaPlaceholder, urlOf } from '../canonical/media.ts'
import { opaque, opaqueText, wireFields } from '../canonical/provider.ts'
import type { Writing } from '../codec.ts'
import { writeOutcome } from '../openai/write.ts'
import { finishResponses } from './finish.ts'
import type { ResponsesInputItem } from './input.ts'
import { isExternalItem, itemType } from './items.ts'
import { responsesIdentifiers } from './identifiers.ts'
import type { ResponsesInputPart, ResponsesItem, ResponsesOutputPart, ResponsesReasoning } from './types.ts'

const ABILITIES: Abilities = {
  reasoning: (part) =>
    opaqueText(part, 'openai', 'itemId') !== undefined ||
    opaqueText(part, 'openai', 'reasoningEncryptedContent') !== undefined,
  data: (part, role) => {
    if (!part.kind.startsWith('openai-responses:') || role === 'system') return false
    return role === 'user' || isExternalItem(itemType(part.data)) === (role === 'tool')
  },
  executed: () => false,
  media: (part, role) => role === 'user' && part.type !== 'audio',
  blankText: true,
  laterSystem: () => true,
}

/** Drafts as Responses input items. */
export function writeResponses(drafts: readonly Draft[], writing: Writing): ResponsesInputItem[] {
  const said = responsesIdentifiers(express(drafts, ABILITIES, writing), writing)
  const items = said.flatMap(
    (draft) => (writing.verbatim([draft]) as unknown as ResponsesItem[] | undefined) ?? writeDraft(draft, writing),
  )
  // The type is the SDK's, which demands more than the API does.
  return finishResponses(items, writing) as ResponsesInputItem[]
}

function writeDraft(draft: Draft, writing: Writing): readonly ResponsesItem[] {
  const { role: wireRole, ...rest } = wireFields(draft, 'openai-responses')
  switch (draft.role) {
    case 'system': {
      const parts = draft.parts.flatMap((part) => (part.type === 'text' ? [writeText(part)] : []))
      const only = parts.length === 1 && Object.keys(parts[0] ?? {}).length === 2 ? parts[0]?.text : undefined
      const role = wireRole === 'developer' ? 'developer' : 'system'
      return parts.length === 0 ? [] : [{ ...rest, type: 'message', role, content: only ?? parts }]
    }
    case 'user': {
      const content = draft.parts.flatMap((part) => writeInput(part, writing))
      return content.length === 0 ? [] : [{ ...rest, type: 'message', role: 'user', content }]
    }
    case 'assistant':
      return writeAssistant(draft.parts)
    case 'tool':
      return draft.parts.flatMap((part) => {
        if (part.type === 'tool-result') return [writeResult(part, writing)]
        return part.type === 'data' ? [part.data as unknown as ResponsesItem] : []
      })
  }
}

function writeText(part: TextPart): Extract<ResponsesInputPart, { type: 'input_text' }> {
  const { part: _, message: __, continues: ___, ...rest } = wireFields(part, 'openai-responses')
  return { ...rest, type: 'input_text', text: part.text, ...breakpoint(part) }
}

function breakpoint(part: Part): object {
  return defined({ prompt_cache_breakpoint: opaque(part, 'openai', 'promptCacheBreakpoint') })
}

function writeInput(part: Part, writing: Writing): readonly ResponsesInputPart[] {
  if (part.type === 'text') return [writeText(part)]
  if (part.type === 'image' || part.type === 'file') return [writeMedia(part, writing)]
  return part.type === 'data' ? [part.data as unknown as ResponsesInputPart] : []
}

function writeMedia(part: ImagePart | FilePart, writing: Writing): ResponsesInputPart {
  const rest = wireFields(part, 'openai-responses')
  if (part.type === 'image') {
    return {
      ...rest,
      type: 'input_image',
      image_url: urlOf(part, writing.blobs),
      ...defined({ detail: part.detail }),
      ...breakpoint(part),
    }
  }
  if (part.source.type === 'url')
    return {
      ...rest,
      type: 'input_file',
      file_url: part.source.url,
      ...defined({ filename: part.name }),
      ...breakpoint(part),
    }
  return {
    ...rest,
    type: 'input_file',
    filename: part.name ?? 'file.pdf',
    file_data: urlOf(part, writing.blobs),
    ...breakpoint(part),
  }
}

function writeAssistant(parts: readonly Part[]): readonly ResponsesItem[] {
  const items: ResponsesItem[] = []
  let previous: Part | undefined
  for (const part of parts) {
    const last = items.at(-1)
    if (part.type === 'reasoning') {
      if (last?.type === 'reasoning' && continues(part, previous))
        items[items.length - 1] = addSummary(last as ResponsesReasoning, part)
      else items.push(writeReasoning(part))
    } else if (part.type === 'text') {
      const content = field(last, 'content')
      if (continues(part, previous) && Array.isArray(content))
        items[items.length - 1] = { ...last, content: [...content, writeOutput(part)] } as ResponsesItem
      else items.push(writeMessage(part))
    } else if (part.type === 'tool-call') items.push(writeCall(part))
    else if (part.type === 'data') items.push(part.data as unknown as ResponsesItem)
    previous = part
  }
  return items
}

/** Whether a part belongs to the item of the part before it: it says so, or both have its id. */
function continues(part: ReasoningPart | TextPart, previous: Part | undefined): boolean {
  if (previous?.type !== part.type) return false
  const id = opaqueText(part, 'openai', 'itemId')
  if (id !== opaqueText(previous, 'openai', 'itemId')) return false
  return id !== undefined || wireFields(part, 'openai-responses')['continues'] === true
}

function writeReasoning(part: ReasoningPart): ResponsesReasoning {
  return {
    ...omitKeys(wireFields(part, 'openai-responses'), ['continues']),
    type: 'reasoning',
    ...defined({ id: opaqueText(part, 'openai', 'itemId') }),
    summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
    ...defined({ encrypted_content: opaqueText(part, 'openai', 'reasoningEncryptedContent') }),
  }
}

function addSummary(item: ResponsesReasoning, part: ReasoningPart): ResponsesReasoning {
  const more = part.text === '' ? [] : [{ type: 'summary_text' as const, text: part.text }]
  return {
    ...item,
    summary: [...item.summary, ...more],
    ...defined({ encrypted_content: opaqueText(part, 'openai', 'reasoningEncryptedContent') }),
  }
}

function writeOutput(part: TextPart): ResponsesOutputPart {
  const rest = wireFields(part, 'openai-responses')['part']
  if (opaque(part, 'openai', 'refusal') === true)
    return { ...(isObject(rest) ? rest : {}), type: 'refusal', refusal: part.text }
  return { annotations: [], ...(isObject(rest) ? rest : {}), type: 'output_text', text: part.text }
}

/** Text that OpenAI never stored goes as a plain string; text with an id goes back as the item it was. */
function writeMessage(part: TextPart): ResponsesItem {
  const id = opaqueText(part, 'openai', 'itemId')
  const phase = defined({ phase: opaque(part, 'openai', 'phase') }) as { phase?: 'commentary' }
  const wire = wireFields(part, 'openai-responses')
  const message = wire['message']
  const plain = id === undefined && message === undefined && opaque(part, 'openai', 'refusal') !== true
  if (plain)
    return {
      ...omitKeys(wire, ['part', 'continues']),
      type: 'message',
      role: 'assistant',
      content: part.text,
      ...phase,
    }
  return {
    status: 'completed',
    ...(isObject(message) ? message : {}),
    type: 'message',
    ...defined({ id }),
    role: 'assistant',
    content: [writeOutput(part)],
    ...phase,
  }
}

function writeCall(part: ToolCallPart): ResponsesItem {
  const { custom, ...rest } = wireFields(part, 'openai-responses')
  const shared = {
    ...rest,
    ...defined({ id: opaqueText(part, 'openai', 'itemId') }),
    call_id: part.id,
    name: part.name,
  }
  const more = {
    ...defined({ namespace: opaque(part, 'openai', 'namespace'), async: opaque(part, 'openai', 'async') }),
  } as JSONObject
  if (custom === true) {
    const input = parseArguments(part.arguments)?.['input']
    return { ...shared, ...more, type: 'custom_tool_call', input: stringOf(input) ?? toJSON(input) }
  }
  return { ...shared, ...more, type: 'function_call', arguments: argumentsText(part.arguments) }
}

function writeResult(part: ToolResultPart, writing: Writing): ResponsesItem {
  const { custom, blocks: _, ...rest } = wireFields(part, 'openai-responses')
  const shared = { ...rest, call_id: part.callId ?? '', output: writeParts(part, writing) }
  return custom === true ? { ...shared, type: 'custom_tool_call_output' } : { ...shared, type: 'function_call_output' }
}

function writeParts(part: ToolResultPart, writing: Writing): string | ResponsesInputPart[] {
  const { output } = part
  const whole = output.type === 'json' && wireFields(part, 'openai-responses')['blocks'] === true
  if (whole && isArray(output.value) && output.value.length > 0) return output.value as unknown as ResponsesInputPart[]
  if (output.type !== 'parts' || part.outcome === 'error' || output.parts.length === 0) return writeOutcome(part)
  return output.parts.map((block) => {
    if (block.type === 'text') return writeText(block)
    return block.type === 'audio' ? { type: 'input_text', text: mediaPlaceholder(block) } : writeMedia(block, writing)
  })
}
