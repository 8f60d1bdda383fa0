import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { FilePart, ImagePart, Part, TextPart, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import { argumentsObject } from '../canonical/arguments.ts'
import { express, type Abilities } from '../canonical/express.ts'
import { fitIdentifiers, type IdentifierRules } from '../canonical/identifiers.ts'
import { isObject, stringOf, omitKeys } from '../canonical/json.ts'
import { mediaPlaceholder } from '../canonical/media.ts'
import { outputText } from '../canonical/output.ts'
import { opaque, opaqueText, wireFields } from '../canonical/provider.ts'
import type { Writing } from '../codec.ts'
import { finishAnthropic } from './finish.ts'
import { canShow, writeMedia } from './media.ts'
import { takesSystemInMessages } from './model.ts'
import type { AnthropicRequest } from './request.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicTextBlock, AnthropicToolResultBlock } from './types.ts'

const IDENTIFIERS: IdentifierRules = { idRule: 'A7', id: /^[a-zA-Z0-9_-]+$/, idMax: 256 }

/** Drafts as a Messages API prompt: system at the top, results and the user's next words in one message. */
export function writeAnthropic(drafts: readonly Draft[], writing: Writing): AnthropicRequest {
  const said = fitIdentifiers(express(drafts, abilitiesFor(drafts, writing), writing), IDENTIFIERS, writing)
  const start = said.findIndex((draft) => draft.role !== 'system')
  const system = said.slice(0, start).flatMap(
    (draft) =>
      withCache(
        draft,
        draft.parts.flatMap((part) => (part.type === 'text' ? [writeText(part)] : [])),
      ) as readonly AnthropicTextBlock[],
  )
  const messages = groupByRole(said.slice(start)).flatMap((group) => writeGroup(group, writing))
  // The type is the SDK's, which lists less than the API takes.
  return finishAnthropic({ ...(system.length === 0 ? {} : { system }), messages }, writing) as AnthropicRequest
}

function abilitiesFor(drafts: readonly Draft[], writing: Writing): Abilities {
  const serverCalls = new Set<string>()
  for (const draft of drafts)
    for (const part of draft.parts) if (part.type === 'tool-call' && isServerCall(part)) serverCalls.add(part.id)
  return {
    reasoning: (part) =>
      (opaqueText(part, 'anthropic', 'signature') ?? opaqueText(part, 'anthropic', 'redactedData') ?? '') !== '',
    data: (part, role) =>
      part.kind.startsWith('anthropic:') && role !== 'system' && role !== 'tool' && !isVoidCompaction(part.data),
    executed: (part) => {
      if (part.type === 'tool-call') return isServerCall(part)
      return (
        part.callId !== undefined &&
        serverCalls.has(part.callId) &&
        stringOf(wireFields(part, 'anthropic')['type'])?.endsWith('_tool_result') === true
      )
    },
    media: (part, role) => role === 'user' && canShow(part),
    blankText: false,
    laterSystem: (previous) =>
      takesSystemInMessages(writing.options.model) && (previous?.role === 'user' || previous?.role === 'tool'),
    userFirst: 'A2',
  }
}

function isServerCall(part: ToolCallPart): boolean {
  return (
    part.providerExecuted === true &&
    ['server-tool-use', 'mcp-tool-use'].includes(String(opaque(part, 'anthropic', 'type')))
  )
}

function isVoidCompaction(data: unknown): boolean {
  if (!isObject(data) || data['type'] !== 'compaction') return false
  return data['content'] !== null && (typeof data['content'] !== 'string' || data['content'] === '')
}

const WIRE_ROLE = { user: 'user', tool: 'user', assistant: 'assistant', system: 'system' } as const

/** Neighbours of one wire role: the server would merge them (A3), and results must share one message (A4). */
function groupByRole(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const groups: Draft[][] = []
  for (const draft of drafts) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && WIRE_ROLE[last[0].role] === WIRE_ROLE[draft.role]) last.push(draft)
    else groups.push([draft])
  }
  return groups
}

function writeGroup(group: readonly Draft[], writing: Writing): readonly AnthropicMessage[] {
  const first = group[0]
  if (first === undefined) return []
  const same = writing.verbatim(group)
  if (same !== undefined) return same as unknown as readonly AnthropicMessage[]
  const blocks = group.flatMap((draft) =>
    withCache(
      draft,
      draft.parts.flatMap((part) => writePart(part, writing)),
    ),
  )
  const role = WIRE_ROLE[first.role]
  const content = role === 'assistant' ? callsLast(blocks, group, writing) : blocks
  return content.length === 0 ? [] : [{ ...wireFields(first, 'anthropic'), role, content }]
}

/** A cache mark on a message means its last block, unless that has its own (as the AI SDK reads it). */
function withCache(draft: Draft, blocks: readonly AnthropicBlock[]): readonly AnthropicBlock[] {
  const last = blocks.at(-1)
  const cacheControl = opaque(draft, 'anthropic', 'cacheControl')
  if (last === undefined || cacheControl === undefined || 'cache_control' in last || last.type.endsWith('thinking'))
    return blocks
  return [...blocks.slice(0, -1), { ...last, ...cacheMark(draft) }]
}

/** A16: in each stretch between thinking blocks, calls go last. */
function callsLast(blocks: readonly AnthropicBlock[], group: readonly Draft[], writing: Writing): AnthropicBlock[] {
  const ordered: AnthropicBlock[] = []
  let stretch: AnthropicBlock[] = []
  function flush(): void {
    ordered.push(
      ...stretch.filter((block) => block.type !== 'tool_use'),
      ...stretch.filter((block) => block.type === 'tool_use'),
    )
    stretch = []
  }
  for (const block of blocks) {
    if (block.type === 'thinking' || block.type === 'redacted_thinking' || (block.type as string) === 'fallback') {
      flush()
      ordered.push(block)
    } else stretch.push(block)
  }
  flush()
  if (ordered.some((block, index) => block !== blocks[index]))
    writing.note('A16', 'moved', group[0], 'Moved tool_use blocks behind the text next to them')
  return ordered
}

function cacheMark(part: Pick<Part, 'provider'>): { cache_control?: { type: 'ephemeral' } } {
  return defined({ cache_control: opaque(part, 'anthropic', 'cacheControl') as { type: 'ephemeral' } | undefined })
}

function writeText(part: TextPart): AnthropicTextBlock {
  const citations = defined({ citations: opaque(part, 'anthropic', 'citations') }) as { citations?: [] }
  return { ...wireFields(part, 'anthropic'), type: 'text', text: part.text, ...citations, ...cacheMark(part) }
}

function writePart(part: Part, writing: Writing): readonly AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      return [writeText(part)]
    case 'reasoning': {
      const rest = wireFields(part, 'anthropic')
      const signature = opaqueText(part, 'anthropic', 'signature')
      if (signature !== undefined) return [{ ...rest, type: 'thinking', thinking: part.text, signature }]
      return [{ ...rest, type: 'redacted_thinking', data: opaqueText(part, 'anthropic', 'redactedData') ?? '' }]
    }
    case 'image':
    case 'file':
      return [{ ...writeMedia(part, writing.blobs), ...cacheMark(part) }]
    case 'tool-call':
      return [writeCall(part)]
    case 'tool-result':
      return [part.providerExecuted === true ? writeServerResult(part) : writeResult(part, writing)]
    case 'data':
      return [part.data as unknown as AnthropicBlock]
    default:
      return []
  }
}

function writeCall(part: ToolCallPart): AnthropicBlock {
  const rest = wireFields(part, 'anthropic')
  const shared = { id: part.id, name: part.name, input: argumentsObject(part.arguments), ...cacheMark(part) }
  if (part.providerExecuted !== true) return { ...rest, type: 'tool_use', ...shared }
  if (opaque(part, 'anthropic', 'type') !== 'mcp-tool-use') return { ...rest, type: 'server_tool_use', ...shared }
  return {
    ...rest,
    type: 'mcp_tool_use',
    ...shared,
    ...defined({ server_name: opaqueText(part, 'anthropic', 'serverName') }),
  }
}

function writeServerResult(part: ToolResultPart): AnthropicBlock {
  const { type, ...rest } = wireFields(part, 'anthropic')
  const content = part.output.type === 'json' ? part.output.value : outputText(part.output)
  const name = String(type) as `${string}_tool_result`
  return { ...rest, type: name, tool_use_id: part.callId ?? '', content, ...cacheMark(part) } as AnthropicBlock
}

function writeResult(part: ToolResultPart, writing: Writing): AnthropicToolResultBlock {
  const failed = part.outcome === 'error' || part.outcome === 'interrupted'
  return {
    ...omitKeys(wireFields(part, 'anthropic'), ['blocks']),
    type: 'tool_result',
    tool_use_id: part.callId ?? '',
    content: writeOutput(part, writing),
    ...(failed ? { is_error: true } : {}),
    ...cacheMark(part),
  }
}

function writeOutput(part: ToolResultPart, writing: Writing): string | AnthropicBlock[] {
  const { output } = part
  if (output.type === 'json' && wireFields(part, 'anthropic')['blocks'] === true)
    return output.value as unknown as AnthropicBlock[]
  if (output.type !== 'parts') return outputText(output)
  const blocks = output.parts.flatMap((block): readonly AnthropicBlock[] => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [writeText(block)]
    if (!canShow(block)) return [{ type: 'text', text: mediaPlaceholder(block) }]
    return [{ ...writeMedia(block as ImagePart | FilePart, writing.blobs), ...cacheMark(block) }]
  })
  return blocks.length === 0 ? '' : blocks
}
