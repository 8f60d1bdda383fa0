import type { ForkOptions } from '../../api/sessions.ts'
import type { Draft } from '../../domain/message.ts'
import { factOperations } from '../../surface/facts.ts'
import { jobOperations } from '../../surface/jobs.ts'
import { surface } from '../../surface/index.ts'
import type { Operation } from '../../surface/operation.ts'
import { argumentsFrom } from '../../surface/request-fields.ts'
import { sessionOperations } from '../../surface/sessions.ts'
import type { OperationName } from '../../wire/operations.ts'
import { appendLines } from '../append-lines.ts'
import { appendMessages } from '../append-messages.ts'
import { channelOf, fieldsOf, optionsOf, present, sessionOf } from '../arguments.ts'
import { callOperation, fieldsFor } from '../call-operation.ts'
import { exportLines } from '../export-lines.ts'
import { inBase64 } from '../in-base64.ts'
import { sendContext } from '../send-context.ts'
import { watchEvents } from '../watch-events.ts'
import type { Call, Route } from '../route.ts'

/** Operations that do more than call the library with what was sent. */
const special: Readonly<Record<string, (call: Call) => unknown>> = {
  'messages.append': appendMessages,
  'messages.bulk': appendLines,
  'messages.export': exportLines,
  'messages.watch': watchEvents,
  'messages.blobs': readBlobs,
  'sessions.fork': forkSession,
  'contexts.build': sendContext,
  'facts.remember': (call) => callOperation(factOperations.remember, withChannel(call)),
  'facts.retract': (call) => callOperation(factOperations.retract, withChannel(call)),
  'jobs.inScope': async (call) => ({
    jobs: await call.memory.jobs.list({ ...fieldsFor(jobOperations.inScope, call), scope: call.scope.name }),
  }),
}

/** The routes of everything that is described. */
export const describedRoutes: readonly Route[] = surface.map((operation) => routeOf(operation))

/** The route of one operation. */
export function routeOf(operation: Operation): Route {
  const { name, help, streams, patient } = operation
  return {
    operation: name as OperationName,
    described: operation,
    summary: help,
    ...(streams === undefined ? {} : { streams: 'in' in streams ? 'in' : 'out' }),
    ...(patient === undefined ? {} : { patient }),
    handle: special[name] ?? ((call) => callOperation(operation, call)),
  }
}

/** Trust comes from the key and never from a field of the request: a caller may only say less. */
function withChannel(call: Call): Call {
  const { channel, ...rest } = optionsOf<{ readonly channel?: unknown }>(call)
  return { ...call, body: present({ ...rest, channel: channelOf(call, channel) }) }
}

/** The library returns a handle of the new session; over HTTP its id is sent. */
async function forkSession(call: Call): Promise<unknown> {
  const { given } = argumentsFrom(sessionOperations.fork, optionsOf(call), call.names)
  const { id } = await sessionOf(call).fork(...(given as readonly [string, ForkOptions]))
  return { session: id }
}

async function readBlobs(call: Call): Promise<unknown> {
  const { messages } = fieldsOf(call, 'read blobs', ['messages'])
  return { blobs: inBase64(await sessionOf(call).blobs(messages as readonly Draft[])) }
}
