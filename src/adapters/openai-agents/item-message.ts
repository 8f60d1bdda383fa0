import { defined } from '../../domain/defined.ts'
import type { AgentInputItem } from '@openai/agents-core'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft, Role } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import type { Part } from '../../domain/part.ts'
import { textOf } from '../../domain/text-of.ts'
import { type Packed, pack, unpack } from './pack-bytes.ts'

const WIRE = 'wire:openai-agents'
const WHOLE = 'openai-agents:item'

/**
 * An item as a message: its words, calls and results are parts that everybody can read, and the rest of it is kept beside them. An
 * item that would not come back as it was is kept whole.
 */
export function messageFromItem(item: AgentInputItem): NewMessage {
  const packed = pack(item)
  const read = readItem(packed)
  if (read !== undefined && JSON.stringify(sorted(writeItem(read))) === JSON.stringify(sorted(packed))) return read
  const role: Role = packed['role'] === 'user' || packed['role'] === 'system' ? packed['role'] : 'assistant'
  return { role, parts: [{ type: 'data', kind: WHOLE, data: packed }] }
}

/** The items that a message is. One that another program stored may be several. */
export function itemsFromMessage(message: Draft): readonly AgentInputItem[] {
  const [first] = message.parts
  if (first?.type === 'data' && first.kind === WHOLE) return [unpack(first.data as Packed)]
  if (message.provider?.[WIRE] !== undefined) return [unpack(writeItem(message))]
  return foreignItems(message)
}

function readItem(item: Packed): Draft | undefined {
  const { type = 'message', role, content, callId, name, arguments: input, output, ...rest } = item
  const typed = defined({ type: item['type'] })
  if (type === 'message' && (role === 'user' || role === 'system' || role === 'assistant')) {
    const parts = typeof content === 'string' ? [textPart(content)] : readContent(content)
    const isText = typeof content === 'string' ? { isText: true } : {}
    if (parts === undefined || !parts.some((part) => part.type === 'text' && part.text !== '')) return undefined
    return { role, parts, provider: { [WIRE]: { ...typed, ...isText, rest } } }
  }
  if (type === 'function_call' && isFilled(callId) && isFilled(name) && typeof input === 'string')
    return {
      role: 'assistant',
      parts: [{ type: 'tool-call', id: callId, name, arguments: input }],
      provider: { [WIRE]: { ...typed, rest } },
    }
  if (type === 'function_call_result' && isFilled(callId) && isFilled(name)) {
    const { type: kind, text, ...more } = (output ?? {}) as Packed
    const isPlain = kind === 'text' && typeof text === 'string' && Object.keys(more).length === 0
    const stored = isPlain ? { type: 'text' as const, text } : { type: 'json' as const, value: output ?? null }
    return {
      role: 'tool',
      parts: [{ type: 'tool-result', callId, name, output: stored }],
      provider: { [WIRE]: { ...typed, rest } },
    }
  }
  return undefined
}

const TEXTS: Readonly<Record<string, true>> = { input_text: true, output_text: true }

/** Texts are parts; what else there is in a message is kept between them as it is. */
function readContent(content: unknown): readonly Part[] | undefined {
  if (!Array.isArray(content)) return undefined
  return content.map((block: Packed): Part => {
    const { type, text, ...rest } = block
    if (typeof type !== 'string' || TEXTS[type] === undefined || typeof text !== 'string' || text === '')
      return { type: 'data', kind: 'openai-agents:content', data: block }
    return { ...textPart(text), provider: { [WIRE]: { type, rest } } }
  })
}

function textPart(text: string): Part {
  return { type: 'text', text }
}

function writeItem({ role, parts, provider }: Draft): Packed {
  const { rest = {}, isText, type } = (provider?.[WIRE] ?? {}) as Packed
  const typed = defined({ type })
  const [first] = parts
  if (first?.type === 'tool-call')
    return { ...typed, callId: first.id, name: first.name, arguments: first.arguments, ...(rest as Packed) }
  if (first?.type === 'tool-result') {
    const { callId = '', name = '', output } = first
    const written: JSONValue =
      output.type === 'json' ? output.value : { type: 'text', text: textOf({ parts: [first] }) }
    const plain = output.type === 'text' ? { type: 'text', text: output.text } : written
    return { ...typed, callId, name, output: plain, ...(rest as Packed) }
  }
  const content = isText === true ? textOf({ parts }) : parts.flatMap(writeContent)
  return { ...typed, role, content, ...(rest as Packed) }
}

function writeContent(part: Part): readonly JSONValue[] {
  if (part.type === 'data') return [part.data]
  if (part.type !== 'text') return []
  const { type = 'input_text', rest = {} } = (part.provider?.[WIRE] ?? {}) as Packed
  return [{ type, text: part.text, ...(rest as Packed) }]
}

/** What another program stored, as items that a model can be given. */
function foreignItems({ role, parts }: Draft): readonly AgentInputItem[] {
  const text = textOf({ parts })
  const said: readonly AgentInputItem[] =
    text === '' || role === 'tool'
      ? []
      : role === 'assistant'
        ? [{ type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] }]
        : [{ type: 'message', role, content: text }]
  const others = parts.flatMap((part): readonly AgentInputItem[] => {
    if (part.type === 'tool-call' && part.providerExecuted !== true)
      return [
        {
          type: 'function_call',
          callId: part.id,
          name: part.name,
          status: 'completed',
          arguments: part.arguments,
        },
      ]
    if (part.type !== 'tool-result' || part.providerExecuted === true) return []
    const { callId = '', name = '', output } = part
    const shown = output.type === 'text' ? output.text : JSON.stringify(output.type === 'json' ? output.value : output)
    const result = { type: 'text', text: shown }
    return [{ type: 'function_call_result', callId, name, status: 'completed', output: result }]
  })
  return [...said, ...others]
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The same value with its names in order, so that two are compared by what they hold. */
export function sorted(value: JSONValue): JSONValue {
  if (Array.isArray(value)) return (value as readonly JSONValue[]).map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JSONObject).map(([name, one]) => [name, sorted(one)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
