import { MemoryError } from '../domain/error.ts'
import { checkCall } from '../surface/check-call.ts'
import type { Operation } from '../surface/operation.ts'
import { hasQuery, requestFrom } from '../surface/request-fields.ts'
import { writeCursor } from '../wire/cursor.ts'
import { isoDates } from './iso-dates.ts'
import type { Sending, Transport } from './transport.ts'

/** The names of the handle in the path: a scope, a session of it, or neither. */
export type RemotePlace = Readonly<Record<string, string>>

/**
 * Makes a call over HTTP: checks the arguments, sends them, and returns what the library would return here.
 *
 * @throws {MemoryError} what the library on the other side threw.
 */
export async function callRemote(
  transport: Transport,
  operation: Operation,
  place: RemotePlace,
  given: readonly unknown[],
): Promise<unknown> {
  transport.checkOpen()
  checkCall(operation, ...given)
  const {
    as,
    missing,
    answer: { form },
  } = operation
  try {
    const answer = await transport.call<unknown>(operation, sendingOf(operation, place, given))
    if (form.kind === 'object' && Object.keys(form.fields).length === 0) return undefined
    return as === undefined ? answer : ((answer as Readonly<Record<string, unknown>>)[as] ?? undefined)
  } catch (error) {
    if (missing !== undefined && MemoryError.is(error, missing)) return as === undefined ? undefined : []
    throw error
  }
}

/** The arguments of a call as they are sent. */
function sendingOf(operation: Operation, place: RemotePlace, given: readonly unknown[]): Sending {
  const { names, fields } = requestFrom(operation, given)
  const { after } = fields
  // The library continues after an id; a request after a cursor, which is only good for its own list and scope.
  const paged =
    operation.pages !== undefined && typeof after === 'string'
      ? { ...fields, after: writeCursor(operation.as ?? '', place['scope'] ?? '', after) }
      : fields
  return {
    names: { ...place, ...names },
    ...(hasQuery(operation) ? { query: isoDates(paged) } : Object.keys(paged).length === 0 ? {} : { body: paged }),
  }
}
