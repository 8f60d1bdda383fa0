import { describe, expect, it } from 'vitest'
import { extractAction } from '../../src/domain/action.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import type { Part } from '../../src/domain/part.ts'

const assistant = (...parts: readonly Part[]): Draft => ({ role: 'assistant', parts })
const call = { type: 'tool-call', id: 'c', name: 'add', arguments: '{"a":1}' } as const
const agent = { type: 'agent-call', agent: 'helper', request: { task: 'x' } } as const
const text = { type: 'text', text: 'Done.' } as const
const data = (value: JSONValue): Part => ({ type: 'data', kind: 'structured', data: value })

describe('[msg-15] extractAction', () => {
  it('calls tools first, then invokes agents, then answers', () => {
    expect(extractAction(assistant(text, agent, call))).toEqual({ type: 'call-tools', calls: [call] })
    expect(extractAction(assistant(text, agent))).toEqual({ type: 'invoke-agents', calls: [agent] })
    expect(extractAction(assistant(text))).toEqual({ type: 'final-response', text: 'Done.' })
    expect(extractAction(assistant(text, data({ a: 1 })))).toEqual({
      type: 'final-response',
      text: 'Done.',
      data: { a: 1 },
    })
  })

  it('sees no action in calls that the provider already ran, nor in other roles', () => {
    expect(extractAction(assistant({ ...call, providerExecuted: true }, text))).toMatchObject({
      type: 'final-response',
    })
    expect(extractAction({ role: 'user', parts: [text] })).toBeUndefined()
    expect(
      extractAction({
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c', output: { type: 'text', text: '' } }],
      }),
    ).toBeUndefined()
  })

  it('reads the older form: thought, next_action, action_input', () => {
    const legacy = (next_action: string, action_input: JSONValue): Draft =>
      assistant(data({ thought: 'hm', next_action, action_input }))
    expect(
      extractAction(
        legacy('call_tool', {
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
            { id: 'd', name: 'sub', arguments: { b: 2 } },
          ],
        }),
      ),
    ).toEqual({
      type: 'call-tools',
      calls: [call, { type: 'tool-call', id: 'd', name: 'sub', arguments: '{"b":2}' }],
    })
    expect(extractAction(legacy('invoke_agent', { agent_name: 'helper', request: { task: 'x' } }))).toEqual({
      type: 'invoke-agents',
      calls: [agent],
    })
    expect(extractAction(legacy('final_response', { response: 'Done.' }))).toMatchObject({
      type: 'final-response',
      text: 'Done.',
    })
    expect(extractAction(legacy('dance', { response: 'Done.' }))).toMatchObject({ type: 'final-response', text: '' })
    expect(extractAction(legacy('call_tool', { tool_calls: 'nonsense' }))).toMatchObject({ type: 'final-response' })
  })
})
