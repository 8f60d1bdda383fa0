import type { JSONValue } from '../domain/json.ts'
import { MemoryError } from '../domain/error.ts'
import { recogniseForeign } from './recognise-dialect.ts'
import { replyReader } from './reply-reader.ts'

/**
 * Adds to the refusal of messages what they look like and how to append them: a reply of a provider's SDK, or messages of
 * another dialect. Other errors stay as they are.
 */
export function withForeignShape(error: unknown, messages: readonly unknown[]): unknown {
  if (!MemoryError.is(error, 'input/invalid')) return error
  const reader = replyReader(messages)
  if (reader !== undefined)
    return new MemoryError(
      error.code,
      `Cannot append: this is a reply of ${reader.of}, expected messages: append(${reader.name}(reply))`,
      { ...error.details, looksLike: reader.name },
      error,
    )
  const dialect = recogniseForeign(messages as readonly JSONValue[])
  if (dialect === undefined || dialect === 'daybook') return error
  const how = `append(messages, { from: '${dialect}' })`
  const message = withHint(error, `This looks like the dialect "${dialect}": ${how}`)
  return new MemoryError(error.code, message, { ...error.details, looksLike: dialect }, error)
}

/** The hint replaces what was expected instead, unless that is about a single name. */
function withHint({ message, details }: MemoryError, hint: string): string {
  const isName = details['meant'] !== undefined || String(details['option']).endsWith('.role')
  const said = isName ? message : message.replace(/, (?:expected|did you mean) [\s\S]*$/, '')
  return `${said}${said.endsWith('?') ? '' : '.'} ${hint}`
}
