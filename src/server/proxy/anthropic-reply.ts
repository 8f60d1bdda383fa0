import { arrayOf, field, isObject, stringOf } from '../../dialects/canonical/json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'

/** The fields of a block that come in pieces, by the kind of the piece. */
const PIECES: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  compaction_delta: 'content',
}

/** The message of a reply of Anthropic, with its blocks as they came. */
export function anthropicReply(values: readonly JSONValue[]): JSONObject | undefined {
  const whole = values.length === 1 ? arrayOf(field(values[0], 'content')) : []
  const blocks: Record<string, JSONValue>[] = []
  const inputs = new Map<number, string>()
  for (const value of values) {
    const index = Number(field(value, 'index'))
    const [type, block, delta] = [field(value, 'type'), field(value, 'content_block'), field(value, 'delta')]
    if (type === 'content_block_start' && isObject(block)) blocks[index] = { ...block }
    const current = blocks[index]
    if (type !== 'content_block_delta' || current === undefined) continue
    const piece = stringOf(field(delta, 'partial_json'))
    if (piece !== undefined) inputs.set(index, (inputs.get(index) ?? '') + piece)
    const name = PIECES[stringOf(field(delta, 'type')) ?? '']
    if (name !== undefined) current[name] = (stringOf(current[name]) ?? '') + (stringOf(field(delta, name)) ?? '')
  }
  for (const [index, text] of inputs) {
    const block = blocks[index]
    if (block !== undefined && text !== '') block['input'] = inputOf(text)
  }
  const content = whole.length > 0 ? whole : blocks.filter(isObject)
  return content.length === 0 ? undefined : { role: 'assistant', content }
}

/** The input of a call; as text, if the reply ended in the middle of it. */
function inputOf(text: string): JSONValue {
  try {
    return JSON.parse(text) as JSONValue
  } catch {
    return text
  }
}
