import { isPlainObject } from './check-json.ts'
import type { JSONObject } from './json.ts'
import type { Draft } from './message.ts'
import type { AgentCallPart, ToolCallPart } from './part.ts'
import { refuse } from './refuse.ts'

/** What an assistant message asks for next. */
export type Action =
  | { readonly type: 'call-tools'; readonly calls: readonly ToolCallPart[] }
  | { readonly type: 'invoke-agents'; readonly calls: readonly AgentCallPart[] }
  | { readonly type: 'final-response'; readonly text: string; readonly data?: JSONObject }

/**
 * The next action of an assistant message; `undefined` for any other role. Tool calls come before agent calls, and both
 * before a final response. Calls that the provider ran itself are done, so they are no action.
 *
 * @throws {MemoryError} `input/invalid` if it is not a message.
 */
export function extractAction(message: Draft): Action | undefined {
  if (!Array.isArray((message as Partial<Draft> | null | undefined)?.parts))
    refuse('extract the action', 'message', message, 'a message with a role and parts')
  if (message.role !== 'assistant') return undefined
  const tools = message.parts.filter((part) => part.type === 'tool-call' && part.providerExecuted !== true)
  if (tools.length > 0) return { type: 'call-tools', calls: tools as readonly ToolCallPart[] }
  const agents = message.parts.filter((part) => part.type === 'agent-call')
  if (agents.length > 0) return { type: 'invoke-agents', calls: agents }
  const data = structuredData(message)
  return legacyAction(data) ?? finalResponse(message, data)
}

function finalResponse(message: Draft, data: JSONObject | undefined): Action {
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return data === undefined ? { type: 'final-response', text } : { type: 'final-response', text, data }
}

function structuredData(message: Draft): JSONObject | undefined {
  for (const part of message.parts) {
    if (part.type === 'data' && part.kind === 'structured' && isPlainObject(part.data)) return part.data as JSONObject
  }
  return undefined
}

/** Agents of the older design answer with `{ thought, next_action, action_input }` instead of calls. */
function legacyAction(data: JSONObject | undefined): Action | undefined {
  const input = data?.['action_input']
  if (data === undefined || !isPlainObject(input)) return undefined
  if (data['next_action'] === 'call_tool') {
    const calls = listOf(input['tool_calls']).flatMap((call) => {
      const body = isPlainObject(call['function']) ? call['function'] : call
      if (typeof call['id'] !== 'string' || typeof body['name'] !== 'string') return []
      const given = body['arguments'] ?? {}
      return [
        {
          type: 'tool-call' as const,
          id: call['id'],
          name: body['name'],
          arguments: typeof given === 'string' ? given : JSON.stringify(given),
        },
      ]
    })
    return calls.length > 0 ? { type: 'call-tools', calls } : undefined
  }
  if (data['next_action'] === 'invoke_agent') {
    const requests = 'agent_name' in input ? [input] : listOf(input['agent_calls'])
    const calls = requests.flatMap((call) =>
      typeof call['agent_name'] === 'string'
        ? [
            {
              type: 'agent-call' as const,
              agent: call['agent_name'],
              request: (call['request'] ?? null) as AgentCallPart['request'],
            },
          ]
        : [],
    )
    return calls.length > 0 ? { type: 'invoke-agents', calls } : undefined
  }
  if (data['next_action'] !== 'final_response') return undefined
  const text = input['response'] ?? input['content']
  return { type: 'final-response', text: typeof text === 'string' ? text : JSON.stringify(text ?? input), data }
}

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}
