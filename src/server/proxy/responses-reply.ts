import { defined } from '../../domain/defined.ts'
import { fromOpenAIResponses } from '../../dialects/from-openai-responses.ts'
import { arrayOf, field, isObject, stringOf } from '../../dialects/canonical/json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { ProxiedReply } from './provider.ts'

/** The reply of OpenAI's Responses API, with its items as they came. A stream that was cut has what came before. */
export function responsesReply(values: readonly JSONValue[]): ProxiedReply {
  const found = values
    .map((value) => field(value, 'response') ?? value)
    .filter((one) => isObject(one) && 'output' in one)
  const whole = found.findLast((one) => arrayOf(field(one, 'output')).length > 0)
  const id = stringOf(field(found.at(-1), 'id'))
  const output = whole === undefined ? itemsOf(values) : arrayOf(field(whole, 'output'))
  if (output.length === 0) return { messages: [] }
  return {
    messages: fromOpenAIResponses({ ...defined({ id }), output }),
    ...defined({ id }),
  }
}

/** The items of a stream without an end: those that are done, and the text of the one that is not. */
function itemsOf(values: readonly JSONValue[]): readonly JSONValue[] {
  const items: JSONObject[] = []
  const texts = new Map<number, string>()
  for (const value of values) {
    const [type, item] = [field(value, 'type'), field(value, 'item')]
    const index = Number(field(value, 'output_index'))
    if (type === 'response.output_item.done' && isObject(item)) items[index] = item
    if (type === 'response.output_text.delta')
      texts.set(index, (texts.get(index) ?? '') + (stringOf(field(value, 'delta')) ?? ''))
  }
  for (const [index, text] of texts)
    items[index] ??= { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
  return items.filter(isObject)
}
