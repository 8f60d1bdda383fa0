import { defined } from '../domain/defined.ts'
import type { ChangeOptions, ChangeStep, SyncOptions } from '../api/changes.ts'
import type { SessionOptions } from '../api/sessions.ts'
import { changeOperations } from '../surface/changes.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { optionsOf, sessionOf } from './arguments.ts'
import type { Call } from './route.ts'

/** The `Idempotency-Key` is the log's own `operationId`: the log makes the change once, even if this process ends. */
export async function changeRoute(call: Call): Promise<unknown> {
  const { given, sent } = argumentsFrom(changeOperations.change, optionsOf(call), call.names)
  const [steps, options] = given as readonly [readonly ChangeStep[], ChangeOptions | undefined]
  const operationId = options?.operationId ?? call.idempotencyKey
  return sessionOf(call, sent as SessionOptions).change(steps, {
    ...options,
    ...defined({ operationId }),
  })
}

/** Over HTTP, messages are in our own form: a client converts them. */
export async function syncRoute(call: Call): Promise<unknown> {
  const { given, sent } = argumentsFrom(changeOperations.sync, optionsOf(call), call.names)
  const [messages, options] = given as readonly [unknown, SyncOptions | undefined]
  return sessionOf(call, sent as SessionOptions).sync(messages, options ?? {})
}
