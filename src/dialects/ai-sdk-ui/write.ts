import { defined } from '../../domain/defined.ts'
import { hostIdOf } from '../../domain/host-id.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import { argumentsObject } from '../canonical/arguments.ts'
import { express, isClientCall, type Abilities } from '../canonical/express.ts'
import { isEmpty, isObject, omitKeys } from '../canonical/json.ts'
import { EMPTY_CONVERSATION } from '../canonical/marks.ts'
import { mediaTypeOf, urlOf } from '../canonical/media.ts'
import { outputText } from '../canonical/output.ts'
import { wireFields } from '../canonical/provider.ts'
import { writeOutput } from '../ai-sdk/write.ts'
import type { Writing } from '../codec.ts'
import type { UIMessage, UIPart, UIProviderMetadata } from './types.ts'

const ABILITIES: Abilities = {
  reasoning: () => true,
  data: (part, role) => part.kind.startsWith('ai-sdk-ui:') && role !== 'tool',
  executed: () => true,
  media: (_, role) => role !== 'system',
  blankText: true,
  emptyText: (part) => providerMetadata(part) !== undefined,
  laterSystem: () => true,
}

/** Drafts as UI messages: a turn of the assistant, with all its steps and results, is one message. */
export function writeUI(drafts: readonly Draft[], writing: Writing): UIMessage[] {
  const messages: UIMessage[] = []
  for (const group of groupTurns(express(drafts, ABILITIES, writing))) {
    const same = writing.verbatim(group)
    if (same !== undefined) for (const message of same) messages.push(message as unknown as UIMessage)
    else for (const message of writeGroup(group, messages.length, writing)) messages.push(message)
  }
  if (messages.length > 0) return messages
  writing.note('C1', 'synthesised', undefined, `Added a user message "${EMPTY_CONVERSATION}": nothing usable was left`)
  return [{ id: 'message-1', role: 'user', parts: [{ type: 'text', text: EMPTY_CONVERSATION }] }]
}

/** An assistant message goes on after the results of its calls, unless it was a message of its own. */
function groupTurns(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const groups: Draft[][] = []
  for (const draft of drafts) {
    const last = groups.at(-1)
    if (last !== undefined && last[0]?.role === 'assistant' && goesOn(draft, last.at(-1))) last.push(draft)
    else groups.push([draft])
  }
  return groups
}

function goesOn(draft: Draft, previous: Draft | undefined): boolean {
  const wire = wireFields(draft, 'ai-sdk-ui')
  if (draft.role === 'tool') return true
  if (draft.role === 'user') return wire['steering'] === true
  return draft.role === 'assistant' && wire['starts'] !== true && previous?.role !== 'assistant'
}

function writeGroup(group: readonly Draft[], index: number, writing: Writing): readonly UIMessage[] {
  const [first] = group
  if (first === undefined) return []
  const results = new Map<string, ToolResultPart>()
  for (const draft of group)
    for (const part of draft.parts)
      if (part.type === 'tool-result' && part.callId !== undefined) results.set(part.callId, part)
  const parts = group.flatMap((draft, at) => writeDraft(draft, at > 0, results, writing))
  if (parts.every((part) => part.type === 'step-start')) return []
  const rest = omitKeys(wireFields(first, 'ai-sdk-ui'), ['starts', 'steering'])
  const role = first.role === 'tool' ? 'assistant' : first.role
  return [
    { ...rest, id: hostIdOf(first) ?? `message-${index + 1}`, role, ...defined({ metadata: first.metadata }), parts },
  ]
}

function writeDraft(
  draft: Draft,
  later: boolean,
  results: ReadonlyMap<string, ToolResultPart>,
  writing: Writing,
): readonly UIPart[] {
  if (draft.role === 'tool') return []
  const parts = oneStep(draft).flatMap((part) => writePart(part, results, writing))
  if (!later) return parts
  if (draft.role === 'user') {
    const rest = omitKeys(wireFields(draft, 'ai-sdk-ui'), ['steering'])
    return [{ ...rest, type: 'steering-message', id: hostIdOf(draft) ?? 'steering', parts: parts as [] }]
  }
  return parts[0]?.type === 'step-start' ? parts : [{ type: 'step-start' }, ...parts]
}

/** A draft is one step: a step that starts after a call, inside it, would part that call from what follows. */
function oneStep(draft: Draft): readonly Part[] {
  const called = draft.parts.findIndex(isClientCall)
  if (called === -1) return draft.parts
  return draft.parts.filter((part, at) => at < called || part.type !== 'data' || part.kind !== 'ai-sdk-ui:step-start')
}

function metadata(part: Pick<Part, 'provider'>): { providerMetadata?: UIProviderMetadata } {
  return defined({ providerMetadata: providerMetadata(part) })
}

/** Provider fields without those that were the part's own. */
function providerMetadata(part: Pick<Part, 'provider'>): UIProviderMetadata | undefined {
  const { 'wire:ai-sdk-ui': _, ...provider } = part.provider ?? {}
  return isEmpty(provider) ? undefined : provider
}

function writePart(part: Part, results: ReadonlyMap<string, ToolResultPart>, writing: Writing): readonly UIPart[] {
  const rest = wireFields(part, 'ai-sdk-ui')
  switch (part.type) {
    case 'text':
      return [{ ...rest, type: 'text', text: part.text, ...metadata(part) }]
    case 'reasoning':
      return [{ ...rest, type: 'reasoning', text: part.text, ...metadata(part) }]
    case 'image':
    case 'file':
    case 'audio':
      return [{ ...rest, ...writeFile(part, writing), ...metadata(part) }]
    case 'tool-call':
      return [writeTool(part, results.get(part.id), writing)]
    case 'data':
      return [part.data as unknown as UIPart]
    default:
      return []
  }
}

function writeFile(
  part: MediaPart,
  writing: Writing,
): { type: 'file'; mediaType: string; url: string; filename?: string } {
  const url = urlOf(part, writing.blobs)
  const mediaType =
    part.mediaType ??
    (part.source.type === 'url' ? 'image' : mediaTypeOf(part, part.source.type === 'base64' ? part.source.base64 : ''))
  return { type: 'file', mediaType, url, ...defined({ filename: part.type === 'audio' ? undefined : part.name }) }
}

const PENDING: readonly unknown[] = ['input-streaming', 'input-available', 'approval-requested', 'approval-responded']

function writeTool(call: ToolCallPart, result: ToolResultPart | undefined, writing: Writing): UIPart {
  const { dynamic, state, ...rest } = wireFields(call, 'ai-sdk-ui')
  const name = dynamic === true ? { type: 'dynamic-tool', toolName: call.name } : { type: `tool-${call.name}` }
  const shared = {
    ...rest,
    ...name,
    toolCallId: call.id,
    ...(call.providerExecuted === true ? { providerExecuted: true } : {}),
    ...defined({ callProviderMetadata: providerMetadata(call) }),
    ...(result === undefined ? {} : defined({ resultProviderMetadata: providerMetadata(withoutOutput(result)) })),
    input: argumentsObject(call.arguments),
  }
  if (result === undefined) return { ...shared, state: PENDING.includes(state) ? state : 'input-available' } as UIPart
  return { ...shared, ...writeState(result, rest, state, writing) } as UIPart
}

/** The wrapper of content outputs keeps its own fields. */
function withoutOutput(result: ToolResultPart): Pick<Part, 'provider'> {
  const { 'wire:ai-sdk': _, ...provider } = result.provider ?? {}
  return { provider }
}

function writeState(result: ToolResultPart, call: JSONObject, state: unknown, writing: Writing): object {
  const { output, outcome } = result
  if (outcome === 'denied') {
    const reason = outputText(output)
    const approval = {
      id: result.callId ?? '',
      approved: false,
      ...(reason === '' ? {} : { reason }),
      ...(isObject(call['approval']) ? call['approval'] : {}),
    }
    return { state: state === 'approval-responded' ? state : 'output-denied', approval }
  }
  if (outcome === 'error' || outcome === 'interrupted') return { state: 'output-error', errorText: outputText(output) }
  if (output.type === 'text') return { state: 'output-available', output: output.text }
  const whole = writeOutput(result, writing)
  return {
    state: 'output-available',
    output: whole.type === 'content' ? whole : output.type === 'json' ? output.value : outputText(output),
  }
}
