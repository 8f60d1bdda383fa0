import { MemoryError } from '../domain/error.ts'
import { covers } from '../domain/key.ts'
import { quote } from '../domain/refuse.ts'
import type { Operation } from '../surface/operation.ts'
import { argumentsFrom, hasQuery } from '../surface/request-fields.ts'
import { readCursor, writeCursor } from '../wire/cursor.ts'
import { optionsOf, sessionOf } from './arguments.ts'
import type { Call } from './route.ts'

type Values = Readonly<Record<string, unknown>>

/** How many items a page has when the request does not say. */
const PAGE_ITEMS = 100

/** Calls what an operation is about with what a request has, and returns what is sent back. The library checks the arguments. */
export async function callOperation(operation: Operation, call: Call): Promise<unknown> {
  return answerFor(operation, call, await callLibrary(operation, call))
}

/** The same, with what the library returned. */
export function callLibrary(operation: Operation, call: Call): unknown {
  const { given } = argumentsFrom(operation, fieldsFor(operation, call), call.names)
  return methodOf(operation, call)(...given)
}

/** The fields of a request as the library takes them: a cursor becomes the id that it stands for. */
export function fieldsFor(operation: Operation, call: Call): Values {
  const fields = narrowed(operation, call, hasQuery(operation) ? call.query : optionsOf<Values>(call))
  const { after } = fields
  if (operation.pages === undefined || typeof after !== 'string') return fields
  return { ...fields, after: readCursor(listOf(operation), call.names['scope'] ?? '', after) }
}

/**
 * A key for one scope sees that scope and those below it, whatever it asks for.
 *
 * @throws {MemoryError} `access/not-found` if it asks for another.
 */
function narrowed({ narrows }: Operation, { key }: Call, fields: Values): Values {
  if (narrows === undefined || key.scope === null) return fields
  const asked = fields[narrows] ?? key.scope
  if (typeof asked === 'string' && !covers(key.scope, asked))
    throw new MemoryError('access/not-found', 'Cannot find this scope: there is nothing here for this key')
  return { ...fields, [narrows]: asked }
}

/** What the library returned, as it is sent. */
function answerFor(operation: Operation, call: Call, value: unknown): unknown {
  const { as, pages, missing, attempt } = operation
  if (missing !== undefined && (value === undefined || (Array.isArray(value) && value.length === 0))) {
    const id =
      Object.keys(operation.takes ?? {})
        .flatMap((name) => call.names[name] ?? [])
        .at(-1) ?? ''
    throw new MemoryError(missing, `Cannot ${attempt}: found none with the id ${quote(id)}`, { id })
  }
  if (as === undefined) return value ?? {}
  if (pages === undefined) return { [as]: value ?? null }
  const items = value as readonly Values[]
  const last = items.length >= Number(call.query['limit'] ?? PAGE_ITEMS) ? items.at(-1) : undefined
  const next = last === undefined ? null : writeCursor(as, call.names['scope'] ?? '', String(last[pages]))
  return { [as]: items, next }
}

function listOf({ as = '' }: Operation): string {
  return as
}

/** The method of the session, the scope or the memory that the path leads to. */
function methodOf({ call: name, path }: Operation, call: Call): (...given: readonly unknown[]) => unknown {
  const handle: unknown = path.includes('{session}')
    ? sessionOf(call)
    : path.includes('{scope}')
      ? call.scope
      : call.memory
  const keys = name.split('.')
  const method = keys.pop() ?? ''
  const owner = keys.reduce((part, key) => (part as Values)[key], handle) as Record<
    string,
    (...given: readonly unknown[]) => unknown
  >
  return (...given) => owner[method]?.(...given)
}
