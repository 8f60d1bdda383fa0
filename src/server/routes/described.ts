import { factOperations } from '../../surface/facts.ts'
import { jobOperations } from '../../surface/jobs.ts'
import { surface } from '../../surface/index.ts'
import type { Operation } from '../../surface/operation.ts'
import type { OperationName } from '../../wire/operations.ts'
import { channelOf, optionsOf, present } from '../arguments.ts'
import { callOperation, fieldsFor } from '../call-operation.ts'
import type { Call, Route } from '../route.ts'

/** Operations that do more than call the library with what was sent. */
const special: Readonly<Record<string, (call: Call) => unknown>> = {
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
