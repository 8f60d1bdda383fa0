import { defined } from '../domain/defined.ts'
import type { AppendOptions, Appended } from '../api/messages.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { refuse } from '../domain/refuse.ts'
import type { SessionOptions } from '../api/sessions.ts'
import { messageOperations } from '../surface/messages.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { optionsOf, sessionOf } from './arguments.ts'
import type { Call } from './route.ts'

/** The `Idempotency-Key` is the log's own `operationId`: the log stores the messages once, even if this process ends. */
export async function appendMessages(call: Call): Promise<unknown> {
  const { given, sent } = argumentsFrom(messageOperations.append, optionsOf(call), call.names)
  const [messages, { operationId = call.idempotencyKey, ...options }] = given as readonly [unknown, AppendOptions]
  if (messages === undefined) refuse('append', 'messages', messages, 'a message or a list of messages')
  const stored: Appended = await sessionOf(call, sent as SessionOptions).append(messages as readonly NewMessage[], {
    ...options,
    ...defined({ operationId }),
  })
  return { messages: [...stored], warnings: stored.warnings }
}
