import { arrayOf, field, isObject, stringOf } from '../../dialects/canonical/json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'

/** The message of a reply of OpenAI, with what a program sends back of it: its text and its calls. */
export function openaiReply(values: readonly JSONValue[]): JSONObject | undefined {
  let content = ''
  const calls: { id: string; name: string; arguments: string }[] = []
  let found = false
  for (const value of values) {
    // A program may ask for several replies at once, whose pieces come mixed. The first one is stored.
    const choice = arrayOf(field(value, 'choices')).find((one) => (field(one, 'index') ?? 0) === 0)
    const said = field(choice, 'message') ?? field(choice, 'delta')
    if (!isObject(said)) continue
    found = true
    content += stringOf(said['content']) ?? ''
    for (const [at, call] of arrayOf(said['tool_calls']).entries()) {
      const index = field(call, 'index') ?? at
      const made = (calls[Number(index)] ??= { id: '', name: '', arguments: '' })
      made.id ||= stringOf(field(call, 'id')) ?? ''
      made.name += stringOf(field(field(call, 'function'), 'name')) ?? ''
      made.arguments += stringOf(field(field(call, 'function'), 'arguments')) ?? ''
    }
  }
  if (!found || (content === '' && calls.length === 0)) return undefined
  const toolCalls = calls.map(({ id, ...made }) => ({ id, type: 'function', function: made }))
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  }
}
