import type { JSONValue } from '../domain/json.ts'
import { MemoryError } from '../domain/error.ts'
import { recogniseForeign } from './recognise-dialect.ts'

/** Adds to the refusal of messages which dialect they look like, and how to append those. Other errors stay as they are. */
export function withForeignShape(error: unknown, messages: readonly unknown[]): unknown {
  if (!MemoryError.is(error, 'input/invalid')) return error
  const dialect = recogniseForeign(messages as readonly JSONValue[])
  if (dialect === undefined || dialect === 'daybook') return error
  return new MemoryError(
    error.code,
    `${error.message}. This looks like the dialect "${dialect}": append(messages, { from: '${dialect}' })`,
    { ...error.details, looksLike: dialect },
    error,
  )
}
