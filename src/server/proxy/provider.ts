import { convert } from '../../dialects/convert.ts'
import { defined } from '../../domain/defined.ts'
import type { Dialect } from '../../domain/dialect.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { anthropicReply } from './anthropic-reply.ts'
import { openaiReply } from './openai-reply.ts'
import { responsesMessages } from './responses-messages.ts'
import { responsesReply } from './responses-reply.ts'

/** What a provider replied. */
export interface ProxiedReply {
  /** Empty if it said nothing. */
  readonly messages: readonly NewMessage[]
  /** Its id, if a later request can name it instead of sending the conversation. */
  readonly id?: string
}

/** One kind of request that has a conversation in it. */
export interface ProxiedProvider {
  readonly name: 'openai' | 'anthropic'
  readonly dialect: Dialect
  /** The path of the requests. */
  readonly path: RegExp
  /** What a conversation begins with: its instructions, and its items. */
  readonly opening: (body: JSONObject) => readonly [instructions: JSONValue, items: readonly JSONValue[]]
  /** The messages of a request. `live` reads those that the log has. */
  readonly messages: (
    body: JSONObject,
    live: () => Promise<readonly Message[]>,
  ) => readonly NewMessage[] | Promise<readonly NewMessage[]>
  /** A request with another conversation. */
  readonly withTranscript: (body: JSONObject, transcript: unknown) => JSONObject
  /** What the JSON of a reply, or the events of its stream, say. */
  readonly reply: (values: readonly JSONValue[]) => ProxiedReply
}

const openai: ProxiedProvider = {
  name: 'openai',
  dialect: 'openai',
  path: /\/chat\/completions$/,
  opening: ({ messages }) => [null, listOf(messages)],
  messages: ({ messages = [] }) => convert(messages, { from: 'openai', to: 'daybook' }),
  withTranscript: (body, messages) => ({ ...body, messages: messages as JSONValue }),
  reply: (values) => {
    const message = openaiReply(values)
    return { messages: message === undefined ? [] : convert([message], { from: 'openai', to: 'daybook' }) }
  },
}

const responses: ProxiedProvider = {
  name: 'openai',
  dialect: 'openai-responses',
  // Not those that read, cancel or compact a response.
  path: /\/responses$/,
  opening: ({ instructions = null, input }) => [
    instructions,
    typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input),
  ],
  messages: async (body, live) => responsesMessages(body, await live()),
  withTranscript: ({ instructions: _instructions, ...body }, input) => ({ ...body, input: input as JSONValue }),
  reply: responsesReply,
}

const anthropic: ProxiedProvider = {
  name: 'anthropic',
  dialect: 'anthropic',
  // Not every path that ends so: threads of OpenAI have messages too, and their keys may not be sent to Anthropic.
  path: /^\/v1\/messages$/,
  opening: ({ system = null, messages }) => [system, listOf(messages)],
  messages: ({ system, messages = [] }) =>
    convert({ ...defined({ system }), messages }, { from: 'anthropic', to: 'daybook' }),
  withTranscript: ({ system: _system, ...body }, transcript) => ({ ...body, ...(transcript as JSONObject) }),
  reply: (values) => {
    const message = anthropicReply(values)
    return { messages: message === undefined ? [] : convert([message], { from: 'anthropic', to: 'daybook' }) }
  },
}

function listOf(value: JSONValue | undefined): readonly JSONValue[] {
  return Array.isArray(value) ? (value as readonly JSONValue[]) : []
}

export const proxiedProviders: readonly ProxiedProvider[] = [openai, responses, anthropic]
