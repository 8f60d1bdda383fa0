import { defined } from '../../domain/defined.ts'
import type { Dialect } from '../../domain/dialect.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { anthropicReply } from './anthropic-reply.ts'
import { openaiReply } from './openai-reply.ts'

/** One kind of request that has a conversation in it. */
export interface ProxiedProvider {
  readonly dialect: Dialect
  /** The address of the provider, if no other is given. */
  readonly address: string
  /** The path of the requests. */
  readonly path: RegExp
  /** The conversation of a request, as its dialect writes it. */
  readonly transcript: (body: JSONObject) => JSONValue
  /** A request with another conversation. */
  readonly withTranscript: (body: JSONObject, transcript: unknown) => JSONObject
  /** The message of a reply, of its JSON or of the events of its stream; `undefined` if it has none. */
  readonly reply: (values: readonly JSONValue[]) => JSONObject | undefined
}

const openai: ProxiedProvider = {
  dialect: 'openai',
  address: 'https://api.openai.com',
  path: /\/chat\/completions$/,
  transcript: (body) => body['messages'] ?? [],
  withTranscript: (body, messages) => ({ ...body, messages: messages as JSONValue }),
  reply: openaiReply,
}

const anthropic: ProxiedProvider = {
  dialect: 'anthropic',
  address: 'https://api.anthropic.com',
  // Not every path that ends so: threads of OpenAI have messages too, and their keys may not be sent to Anthropic.
  path: /^\/v1\/messages$/,
  transcript: ({ system, messages = [] }) => ({ ...defined({ system }), messages }),
  withTranscript: ({ system: _system, ...body }, transcript) => ({ ...body, ...(transcript as JSONObject) }),
  reply: anthropicReply,
}

export const proxiedProviders: Readonly<Record<'openai' | 'anthropic', ProxiedProvider>> = { openai, anthropic }
