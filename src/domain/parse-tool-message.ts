import { isPlainObject } from './check-json.ts'
import { parseBody } from './parse-body.ts'
import { type PartContext, parseOutput } from './parse-part.ts'
import type { Part, ToolOutput, ToolResultPart } from './part.ts'
import { refuse } from './refuse.ts'

interface Identity {
  readonly callId?: string
  readonly name?: string
}

/**
 * A tool message always becomes tool results: text, media or an object are the output of one result. A result that
 * does not say which call it answers is kept without an id; the log warns about it.
 */
export function readToolMessage(value: Record<string, unknown>, context: PartContext): Part[] {
  const { toolCallId, name } = value
  for (const key of ['toolCalls', 'agentCalls', 'images']) {
    if (value[key] !== undefined)
      refuse(context.attempt, `${context.path}.${key}`, value[key], 'a message with another role')
  }
  if (toolCallId !== undefined && (typeof toolCallId !== 'string' || toolCallId === '')) {
    refuse(context.attempt, `${context.path}.toolCallId`, toolCallId, 'a non-empty string')
  }
  const identity: Identity = {
    ...(toolCallId === undefined ? {} : { callId: toolCallId }),
    ...(typeof name === 'string' ? { name } : {}),
  }
  const extra: Part[] =
    value['data'] === undefined ? [] : [{ type: 'data', kind: 'structured', data: readData(value['data'], context) }]
  const legacy = toolCallId === undefined ? readLegacy(value['content'], context) : undefined
  if (legacy !== undefined) return [{ type: 'tool-result', ...identity, ...legacy }, ...extra]
  const content = value['content']
  if (isPlainObject(content))
    return [{ type: 'tool-result', ...identity, output: parseOutput(content, context) }, ...extra]
  // An empty string is what many tools return: it is an answer, so it is kept.
  if (content === '') return [{ type: 'tool-result', ...identity, output: { type: 'text', text: '' } }, ...extra]
  return withResult([...asResults(parseBody(value, context), identity), ...extra], identity)
}

/** Structured data alone is what the tool returned: the call's id must not get lost because it came as `data`. */
function withResult(parts: readonly Part[], identity: Identity): Part[] {
  if (parts.some((part) => part.type === 'tool-result')) return [...parts]
  const [first, ...rest] = parts
  if (first?.type !== 'data') return [...parts]
  return [{ type: 'tool-result', ...identity, output: { type: 'json', value: first.data } }, ...rest]
}

function readData(data: unknown, context: PartContext): never | Extract<ToolOutput, { type: 'json' }>['value'] {
  const output = parseOutput({ type: 'json', value: data }, { ...context, path: `${context.path}.data` })
  return output.type === 'json' ? output.value : null
}

function asResults(parts: readonly Part[], identity: Identity): Part[] {
  const results = parts.filter((part) => part.type === 'tool-result' || part.type === 'data')
  const loose = parts.filter(
    (part) => part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'audio',
  )
  const others = parts.filter(
    (part) => part.type === 'reasoning' || part.type === 'tool-call' || part.type === 'agent-call',
  )
  const first = loose[0]
  const single: ToolOutput | undefined =
    first === undefined
      ? undefined
      : loose.length === 1 && first.type === 'text' && first.provider === undefined
        ? { type: 'text', text: first.text }
        : { type: 'parts', parts: loose }
  return [
    ...(single === undefined ? [] : [{ type: 'tool-result' as const, ...identity, output: single }]),
    ...results.map((part) => (part.type === 'tool-result' ? { ...identity, ...part } : part)),
    ...others,
  ]
}

/** `{"tool_call_id": …, "output": …}`, as text or as an object: how an older design carried the call's id. */
function readLegacy(content: unknown, context: PartContext): Pick<ToolResultPart, 'callId' | 'output'> | undefined {
  const object = typeof content === 'string' ? parseObject(content) : content
  if (
    !isPlainObject(object) ||
    typeof object['tool_call_id'] !== 'string' ||
    object['tool_call_id'] === '' ||
    !('output' in object)
  )
    return undefined
  // With anything else in it, it is a tool's own JSON, and taking it apart would lose the rest.
  if (Object.keys(object).length !== 2) return undefined
  return {
    callId: object['tool_call_id'],
    output: parseOutput(object['output'], { ...context, path: `${context.path}.content.output` }),
  }
}

function parseObject(text: string): unknown {
  if (!text.trimStart().startsWith('{') || !text.includes('"tool_call_id"')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not the legacy form: plain text that happens to look like it
  }
}
