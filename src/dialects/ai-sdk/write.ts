import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { DataPart, MediaPart, Part, ToolResultPart } from '../../domain/part.ts'
import { argumentsObject } from '../canonical/arguments.ts'
import { CallNames } from '../canonical/call-names.ts'
import { express, type Abilities } from '../canonical/express.ts'
import { field, isObject, objectOf, stringOf, omitKeys } from '../canonical/json.ts'
import { EMPTY_CONVERSATION } from '../canonical/marks.ts'
import { base64Of, mediaTypeOf } from '../canonical/media.ts'
import { outputText } from '../canonical/output.ts'
import { mergeProvider, opaque, wireFields } from '../canonical/provider.ts'
import type { Writing } from '../codec.ts'
import { approvals } from './approvals.ts'
import type {
  AISDKAssistantPart,
  AISDKFilePart,
  AISDKJSON,
  AISDKMessage,
  AISDKOutputPart,
  AISDKPrompt,
  AISDKProviderOptions,
  AISDKSystemMessage,
  AISDKToolMessage,
  AISDKToolOutput,
  AISDKToolResultPart,
} from './types.ts'

function abilitiesFor(drafts: readonly Draft[]): Abilities {
  const approved = approvals(drafts)
  return {
    reasoning: () => true,
    data: (part, role) => {
      if (part.kind === 'anthropic:compaction')
        return (
          role === 'assistant' && typeof field(part.data, 'content') === 'string' && field(part.data, 'content') !== ''
        )
      if (part.kind === 'openai-responses:compaction') return role === 'assistant'
      return part.kind.startsWith('ai-sdk:') && role !== 'system' && approved(part)
    },
    executed: () => true,
    media: (_, role) => role !== 'system',
    blankText: true,
    emptyText: (part) => part.provider !== undefined,
    laterSystem: () => false,
  }
}

/** Drafts as the options of `generateText`: leading system text is `instructions`. */
export function writeAISDK(drafts: readonly Draft[], writing: Writing): AISDKPrompt {
  const said = withMessage(express(drafts, abilitiesFor(drafts), writing))
  const names = new CallNames()
  for (const draft of said) for (const part of draft.parts) if (part.type === 'tool-call') names.add(part.id, part.name)
  const start = said.findIndex((draft) => draft.role !== 'system')
  const system = said.slice(0, start).flatMap(writeSystem)
  const plain = system.length === 1 && system[0]?.providerOptions === undefined ? system[0]?.content : undefined
  const messages = said
    .slice(start)
    .flatMap(
      (draft) =>
        (writing.verbatim([draft]) as unknown as AISDKMessage[] | undefined) ?? writeDraft(draft, names, writing),
    )
  return { ...(system.length === 0 ? {} : { instructions: plain ?? system }), messages }
}

/** V1: instructions alone are no prompt. */
function withMessage(drafts: readonly Draft[]): readonly Draft[] {
  if (drafts.some((draft) => draft.role !== 'system')) return drafts
  return [...drafts, { role: 'user', parts: [{ type: 'text', text: EMPTY_CONVERSATION }] }]
}

function options(part: Pick<Part, 'provider'>): { providerOptions?: AISDKProviderOptions } {
  return defined({ providerOptions: part.provider as AISDKProviderOptions | undefined })
}

function writeSystem(draft: Draft): readonly AISDKSystemMessage[] {
  return draft.parts.flatMap((part) => {
    if (part.type !== 'text') return []
    const provider = mergeProvider(draft.provider, part.provider)
    return [{ role: 'system' as const, content: part.text, ...options(defined({ provider })) }]
  })
}

function writeDraft(draft: Draft, names: CallNames, writing: Writing): readonly AISDKMessage[] {
  const content = draft.parts.flatMap((part) => writePart(part, names, writing))
  if (content.length === 0) return []
  return [{ role: draft.role, content, ...options(draft) } as AISDKMessage]
}

function writePart(
  part: Part,
  names: CallNames,
  writing: Writing,
): readonly (AISDKAssistantPart | AISDKToolMessage['content'][number])[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...options(part) }]
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...options(part) }]
    case 'image':
    case 'file':
    case 'audio':
      return [writeFile(part, writing)]
    case 'tool-call': {
      const ran = part.providerExecuted === true ? { providerExecuted: true } : {}
      return [
        {
          type: 'tool-call',
          toolCallId: part.id,
          toolName: part.name,
          input: argumentsObject(part.arguments),
          ...ran,
          ...options(part),
        },
      ]
    }
    case 'tool-result':
      return [writeResult(part, names, writing)]
    case 'data':
      return [writeData(part, names, writing)]
    default:
      return []
  }
}

function writeData({ data, kind, provider }: DataPart, names: CallNames, writing: Writing): AISDKAssistantPart {
  const block = objectOf(data) ?? {}
  if (kind === 'anthropic:compaction') {
    const { cache_control: cacheControl, ...rest } = omitKeys(block, ['type', 'content'])
    const anthropic = { ...rest, type: 'compaction', ...defined({ cacheControl }) }
    return {
      type: 'text',
      text: stringOf(block['content']) ?? '',
      providerOptions: { ...(provider as AISDKProviderOptions), anthropic },
    }
  }
  if (kind === 'openai-responses:compaction') {
    const { id, encrypted_content: encryptedContent, ...rest } = omitKeys(block, ['type'])
    const openai = {
      ...rest,
      type: 'compaction',
      ...defined({ itemId: id, encryptedContent }),
    }
    return { type: 'custom', kind: 'openai.compaction', providerOptions: { openai } }
  }
  if (kind === 'ai-sdk:tool-result' && isObject(block['output']))
    return writeResult(block as unknown as ToolResultPart, names, writing)
  return data as unknown as AISDKAssistantPart
}

function writeFile(part: MediaPart, writing: Writing): AISDKFilePart {
  const data = base64Of(part.source, writing.blobs) ?? (part.source.type === 'url' ? part.source.url : '')
  const name = part.type === 'audio' ? undefined : part.name
  const mediaType = part.mediaType ?? (part.source.type === 'url' ? 'image' : mediaTypeOf(part, data))
  return { type: 'file', data, mediaType, ...defined({ filename: name }), ...options(withDetail(part)) }
}

/** The SDK has no field for detail but OpenAI's provider reads one. */
function withDetail(part: MediaPart): MediaPart {
  if (part.type !== 'image' || part.detail === undefined || opaque(part, 'openai', 'imageDetail') !== undefined)
    return part
  const provider = mergeProvider(part.provider, { openai: { imageDetail: part.detail } })
  return { ...part, ...defined({ provider }) }
}

function writeResult(part: ToolResultPart, names: CallNames, writing: Writing): AISDKToolResultPart {
  const { output: more } = wireFields(part, 'ai-sdk')
  const { 'wire:ai-sdk': _, ...provider } = part.provider ?? {}
  const toolName = part.name ?? names.get(part.callId) ?? 'unknown'
  const output = { ...(isObject(more) ? more : {}), ...writeOutput(part, writing) } as AISDKToolOutput
  return {
    type: 'tool-result',
    toolCallId: part.callId ?? '',
    toolName,
    output,
    ...(Object.keys(provider).length === 0 ? {} : options({ provider })),
  }
}

/** The wire takes JSON that is not readonly; ours is, but nobody here changes it. */
function mutable(value: unknown): AISDKJSON {
  return value as AISDKJSON
}

export function writeOutput(part: ToolResultPart, writing: Writing): AISDKToolOutput {
  const { output, outcome } = part
  if (outcome === 'denied') {
    const reason = outputText(output)
    return { type: 'execution-denied', ...(reason === '' ? {} : { reason }) }
  }
  if (outcome === 'error' || outcome === 'interrupted') {
    return output.type === 'json'
      ? { type: 'error-json', value: mutable(output.value) }
      : { type: 'error-text', value: outputText(output) }
  }
  if (output.type === 'text') return { type: 'text', value: output.text }
  if (output.type === 'parts')
    return { type: 'content', value: output.parts.map((block) => writeOutputPart(block, writing)) }
  const whole = wireFields(part, 'ai-sdk')['content'] === true
  return whole
    ? { type: 'content', value: output.value as unknown as AISDKOutputPart[] }
    : { type: 'json', value: mutable(output.value) }
}

function writeOutputPart(part: MediaPart | Extract<Part, { type: 'text' }>, writing: Writing): AISDKOutputPart {
  if (part.type === 'text') return { type: 'text', text: part.text, ...options(part) }
  if (part.source.type === 'url')
    return { type: 'file-url', url: part.source.url, mediaType: part.mediaType ?? 'image', ...options(part) }
  const data = base64Of(part.source, writing.blobs) ?? ''
  const name = part.type === 'audio' ? undefined : part.name
  return {
    type: 'file',
    mediaType: mediaTypeOf(part, data),
    data: { type: 'data', data },
    ...defined({ filename: name }),
    ...options(part),
  }
}
