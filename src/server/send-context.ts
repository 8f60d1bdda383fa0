import { defined } from '../domain/defined.ts'
import type { ContextOptions } from '../api/contexts.ts'
import type { Dialect } from '../domain/dialect.ts'
import { allows } from '../domain/key.ts'
import { contextOperations } from '../surface/contexts.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { optionsOf, sessionOf } from './arguments.ts'
import { inBase64 } from './in-base64.ts'
import type { Call } from './route.ts'

interface Sent {
  readonly dialect?: Dialect
  readonly cacheMarks?: boolean
  readonly blobs?: boolean
  readonly description?: string
}

/** Builds a context, and adds what only a request can ask for: the messages in a dialect, and the bytes of their media. */
export async function sendContext(call: Call): Promise<unknown> {
  const { build } = contextOperations
  const { given, sent } = argumentsFrom(build, optionsOf(call), call.names)
  for (const [name, value] of Object.entries(sent)) build.sends?.[name]?.shape.check(build.attempt, name, value)
  const { dialect, cacheMarks = false, blobs = false, description } = sent as Sent
  // A key that may only read stores nothing.
  const readOnly = allows(call.key.can, 'write') ? {} : { compact: false }
  const session = sessionOf(call, defined({ description }))
  const context = await session.context({ ...(given[0] as ContextOptions), ...readOnly })
  const { messages, tokens, receipt, cache, recalled, rebuilt } = context
  return {
    messages,
    tokens,
    receipt,
    cache,
    recalled,
    ...defined({ rebuilt }),
    ...(dialect === undefined ? {} : { [dialect]: context.as(dialect, { cacheMarks }) }),
    ...(blobs ? { blobs: inBase64(await session.blobs(messages)) } : {}),
  }
}
