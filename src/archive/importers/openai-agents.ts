import { arrayOf, field, isArray, isObject, stringOf, toJSON, without } from '../../dialects/canonical/json.ts'
import { readResponses } from '../../dialects/openai-responses/read.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Format } from './format.ts'
import { listed, transcriptFormat } from './transcript.ts'

/** Items that nobody else writes so. */
const ITEMS: ReadonlySet<unknown> = new Set([
  'function_call',
  'function_call_result',
  'function_call_output',
  'hosted_tool_call',
  'computer_call',
  'computer_call_result',
  'reasoning',
  'compaction',
])
const CONTENTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'input_image', 'input_file', 'refusal'])

/** Items of a session of the OpenAI Agents SDK, and of the Responses API, whose names they share up to their spelling. */
export const openaiAgents: Format = transcriptFormat({
  name: 'openai-agents',
  isMessage: (value) => {
    const type = field(value, 'type')
    if (ITEMS.has(type)) return true
    const content = field(value, 'content')
    const isItem = type === 'message' || (type === undefined && isArray(content))
    return (
      isItem &&
      typeof field(value, 'role') === 'string' &&
      (type === 'message' || arrayOf(content).some((part) => CONTENTS.has(field(part, 'type'))))
    )
  },
  messagesOf: (record) => listed(record, ['items', 'history', 'input']),
  read: (items, reading) => readResponses(items.map(asResponsesItem), reading),
})

/** The same item as the Responses API spells it. */
function asResponsesItem(item: JSONValue): JSONValue {
  if (!isObject(item)) return item
  const { type } = item
  const rest = without(item, ['providerData', 'callId'])
  const call = typeof item['callId'] === 'string' ? { call_id: item['callId'] } : {}
  switch (type) {
    case 'function_call_result':
      return {
        ...without(rest, ['output', 'name']),
        ...call,
        type: 'function_call_output',
        output: outputOf(item['output']),
      }
    case 'computer_call_result':
      return { ...rest, ...call, type: 'computer_call_output' }
    case 'reasoning':
      return isArray(item['summary']) ? item : reasoning(item)
    case 'message':
    case undefined:
      return isArray(item['content']) ? { ...rest, content: item['content'].map(asContent) } : rest
    default:
      return { ...rest, ...call }
  }
}

/** Thoughts stand in `content` here, in `summary` there. */
function reasoning(item: JSONObject): JSONObject {
  const texts = arrayOf(item['content']).flatMap((part) => stringOf(field(part, 'text')) ?? [])
  const encrypted = field(item['providerData'], 'encryptedContent') ?? field(item['providerData'], 'encrypted_content')
  return {
    type: 'reasoning',
    ...(typeof item['id'] === 'string' ? { id: item['id'] } : {}),
    summary: texts.map((text) => ({ type: 'summary_text', text })),
    ...(typeof encrypted === 'string' ? { encrypted_content: encrypted } : {}),
  }
}

function outputOf(output: JSONValue | undefined): JSONValue {
  if (typeof output === 'string') return output
  const list = isArray(output) ? output : [output ?? null]
  const texts = list.map((part) => (field(part, 'type') === 'text' ? stringOf(field(part, 'text')) : undefined))
  if (!isArray(output)) return texts[0] ?? toJSON(output ?? null)
  return texts.every((text) => text !== undefined) ? texts.join('\n') : toJSON(output)
}

function asContent(part: JSONValue): JSONValue {
  if (!isObject(part)) return part
  const { type, image, file } = part
  const rest = without(part, ['providerData', 'image', 'file'])
  if (type === 'input_image' && typeof image === 'string') return { ...rest, image_url: image }
  if (type === 'input_file' && typeof file === 'string')
    return file.startsWith('data:') ? { ...rest, file_data: file } : { ...rest, file_url: file }
  return type === 'audio' || type === 'input_audio' ? part : { ...rest, ...media({ image, file }) }
}

/** Images and files that are named by an id. */
function media({ image, file }: { readonly image: unknown; readonly file: unknown }): JSONObject {
  const id = stringOf(field(image, 'id')) ?? stringOf(field(file, 'id'))
  return id === undefined ? {} : { file_id: id }
}
