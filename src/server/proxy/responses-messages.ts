import { convert } from '../../dialects/convert.ts'
import { field, isArray, stringOf } from '../../dialects/canonical/json.ts'
import { defined } from '../../domain/defined.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'

/**
 * The messages of a request to OpenAI's Responses API. Programs send an earlier reply as they like: item by item, in fewer words, or only
 * the ids of its items. A reply that the log has is taken from there, so that it is not stored again.
 */
export function responsesMessages(body: JSONObject, live: readonly Message[]): readonly NewMessage[] {
  const { instructions, input = [] } = body
  const items = isArray(input) ? input : [{ type: 'message', role: 'user', content: input }]
  const replies = live.filter(({ role }) => role === 'assistant')
  const known = new Map(
    convert(replies, { from: 'daybook', to: 'openai-responses' }).map((item) => [idOf(item as unknown), item]),
  )
  const whole = items.map((item) =>
    field(item, 'type') === 'item_reference' ? ((known.get(idOf(item)) as JSONValue | undefined) ?? item) : item,
  )
  const said = convert(whole, { from: 'openai-responses', to: 'daybook' })
  const system: readonly NewMessage[] =
    typeof instructions === 'string' && instructions !== '' ? [{ role: 'system', content: instructions }] : []
  return [...system, ...withStored(said, replies)]
}

function idOf(item: unknown): string | undefined {
  return stringOf(field(item, 'id'))
}

/** The messages, with the replies that the log has in place of those that say the same, in their order. */
function withStored(said: readonly Draft[], replies: readonly Message[]): readonly NewMessage[] {
  let from = 0
  return said.map((draft) => {
    const gist = draft.role === 'assistant' ? replyGist(draft) : ''
    const at = gist === '' ? -1 : replies.findIndex((reply, index) => index >= from && replyGist(reply) === gist)
    const reply = replies[at]
    if (reply === undefined) return draft
    from = at + 1
    const { id, role, parts, provider } = reply
    return { id, role, parts, ...defined({ provider }) }
  })
}

/** What a reply says and calls. */
function replyGist({ parts }: Draft): string {
  const said = parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'tool-call' ? [part.id] : []
  })
  return said.length === 0 ? '' : JSON.stringify(said)
}
