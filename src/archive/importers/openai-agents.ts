import { defined } from '../../domain/defined.ts'
import { arrayOf, field, isArray, isObject, stringOf, toJSON, omitKeys } from '../../dialects/canonical/json.ts'
import { sourceOfUrl } from '../../dialects/canonical/media.ts'
import { readResponses } from '../../dialects/openai-responses/read.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { AudioPart } from '../../domain/part.ts'
import type { Format } from './format.ts'
import { messageList, transcriptFormat } from './transcript.ts'

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
  messagesOf: (record) => messageList(record, ['items', 'history', 'input']),
  read: (items, reading) =>
    readResponses(items.map(asResponsesItem), {
      ...reading,
      unit: (drafts, ...from) => reading.unit(drafts.map(withSounds), ...from),
    }),
})

/** The same item as the Responses API spells it. */
function asResponsesItem(item: JSONValue): JSONValue {
  if (!isObject(item)) return item
  const { type } = item
  const rest = omitKeys(item, ['providerData', 'callId'])
  const call = typeof item['callId'] === 'string' ? { call_id: item['callId'] } : {}
  switch (type) {
    case 'function_call_result':
      return {
        ...omitKeys(rest, ['output', 'name']),
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

/** Text alone is a string, as most tools answer; images and files are parts. */
function outputOf(output: JSONValue | undefined): JSONValue {
  if (typeof output === 'string') return output
  const list = isArray(output) ? output : [output ?? null]
  const parts = list.map(asContent)
  // What is only named by an id has no place in a result: its words are kept.
  if (!parts.every((part) => ANSWERS.some((key) => typeof field(part, key) === 'string'))) return toJSON(output ?? null)
  const texts = parts.flatMap((part) => stringOf(field(part, 'text')) ?? [])
  return texts.length === parts.length ? texts.join('\n') : parts
}

const ANSWERS = ['text', 'image_url', 'file_url', 'file_data']

/** An image or file as the Responses API names it: by its address, its bytes or its id. */
function asContent(part: JSONValue): JSONValue {
  if (!isObject(part)) return part
  const { type, image, file } = part
  const rest = omitKeys(part, ['providerData', 'image', 'file'])
  if (type === 'input_image' || type === 'image') {
    const { url, id } = mediaSource(image)
    return { ...rest, type: 'input_image', ...defined({ image_url: url, file_id: id }) }
  }
  if (type !== 'input_file' && type !== 'file') return rest
  const { url, id, name } = mediaSource(file)
  const filename = stringOf(part['filename']) ?? name
  return {
    ...rest,
    type: 'input_file',
    ...defined({ [url?.startsWith('data:') === true ? 'file_data' : 'file_url']: url, file_id: id, filename }),
  }
}

interface MediaSource {
  readonly url?: string | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
}

function mediaSource(media: JSONValue | undefined): MediaSource {
  if (typeof media === 'string') return { url: media }
  const data = stringOf(field(media, 'data'))
  const inline =
    data === undefined || data.startsWith('data:')
      ? data
      : `data:${stringOf(field(media, 'mediaType')) ?? ''};base64,${data}`
  return {
    url: inline ?? stringOf(field(media, 'url')),
    id: stringOf(field(media, 'id')),
    name: stringOf(field(media, 'filename')),
  }
}

/** What was spoken, which the Responses API has no item for. */
function withSounds(draft: Draft): Draft {
  return { ...draft, parts: draft.parts.map((part) => (part.type === 'data' ? (soundOf(part.data) ?? part) : part)) }
}

function soundOf(part: JSONValue): AudioPart | undefined {
  const audio = field(part, 'audio')
  const base64 = stringOf(audio) ?? stringOf(field(audio, 'data'))
  if (field(part, 'type') !== 'audio' || base64 === undefined) return undefined
  const { source, mediaType } = sourceOfUrl(base64)
  const format = stringOf(field(part, 'format')) ?? 'wav'
  const transcript = stringOf(field(part, 'transcript'))
  return {
    type: 'audio',
    source: source.type === 'url' && !URL.canParse(source.url) ? { type: 'base64', base64 } : source,
    mediaType: mediaType ?? (format === 'mp3' ? 'audio/mpeg' : `audio/${format}`),
    ...defined({ transcript }),
  }
}
