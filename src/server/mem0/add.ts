import { draftsFrom } from '../../dialects/drafts-from.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft, Message } from '../../domain/message.ts'
import { refuse } from '../../domain/refuse.ts'
import { checkVoice } from '../middleware/check-voice.ts'
import type { Mem0Call } from './mem0-call.ts'
import { MEM0, memoryJson } from './memory-json.ts'
import { writeEventId } from './event-id.ts'
import { type Owner, ownerFrom, scopeOf, sessionFor } from './owner.ts'

const ATTEMPT = 'add memories'
const DAY = /^\d{4}-\d{2}-\d{2}$/
const SECOND_MS = 1_000

/**
 * Stores messages. What the user said is a memory, word for word; with `infer: false` every message is. They are stored when this
 * returns, so the event that it names has succeeded.
 */
export async function addMemories({ memory, key, base, body }: Mem0Call): Promise<JSONObject> {
  const owner = ownerFrom(body)
  const place = { scope: scopeOf(base, owner), session: sessionFor(owner) }
  const said = draftsFrom(ATTEMPT, 'openai', openAiMessages(body['messages']))
  checkVoice(key, { messages: said })
  const kept = keptFields(owner, body)
  const at = typeof body['timestamp'] === 'number' ? { at: body['timestamp'] * SECOND_MS } : {}
  const messages = said.map((draft) => ({
    ...draft,
    ...at,
    metadata: { [MEM0]: { ...kept, listed: body['infer'] === false || isOwn(draft, owner) } },
  }))
  const stored = await memory.scope(place.scope).session(place.session).append(messages)
  const results = stored.filter((_, index) => messages[index]?.metadata[MEM0].listed === true)
  const [first] = stored
  return {
    message: 'Stored',
    status: 'SUCCEEDED',
    event_id: writeEventId({ ...place, first: first?.seq ?? 0, count: stored.length }),
    results: results.map((message) => added(base, place, message)),
  }
}

/** A result of an add. */
export function added(
  base: string,
  { scope, session }: { readonly scope: string; readonly session: string },
  message: Message,
): JSONObject {
  const { id, memory } = memoryJson(base, scope, { kind: 'said', session, message })
  return { id: id as JSONValue, memory: memory as JSONValue, data: { memory: memory as JSONValue }, event: 'ADD' }
}

/** Memories of a user are what the user said; of an agent alone, what the agent said. */
function isOwn({ role }: Draft, { user_id: user, agent_id: agent }: Owner): boolean {
  return role === 'user' || (role === 'assistant' && user === undefined && agent !== undefined)
}

/** A text is what the user said. A picture may be a message's whole content, which OpenAI's format has in a list. */
function openAiMessages(given: unknown): readonly unknown[] {
  if (typeof given === 'string') return [{ role: 'user', content: given }]
  if (!Array.isArray(given) || given.length === 0) return refuse(ATTEMPT, 'messages', given, 'a list of messages')
  return given.map((message: unknown) => {
    if (typeof message !== 'object' || message === null || !('content' in message)) return message
    const { content } = message
    return typeof content === 'object' && content !== null && !Array.isArray(content)
      ? { ...message, content: [content] }
      : message
  })
}

function keptFields(owner: Owner, body: JSONObject): JSONObject {
  const { metadata, immutable, expiration_date: last } = body
  if (last !== undefined && last !== null && !(typeof last === 'string' && DAY.test(last)))
    refuse(ATTEMPT, 'expiration_date', last, 'a day such as 2027-01-31')
  return {
    owner: owner as JSONObject,
    ...(metadata === undefined || metadata === null ? {} : { metadata }),
    ...(immutable === true ? { immutable } : {}),
    ...(typeof last === 'string' ? { expiration_date: last } : {}),
  }
}
