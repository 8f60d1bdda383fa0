import { checkJSONObject, isPlainObject } from '../domain/check-json.ts'
import { ignoreCase } from '../domain/ignore-case.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { type Message, type Role, roles } from '../domain/message.ts'
import { refuse } from '../domain/refuse.ts'
import { messageText } from './message-text.ts'

export interface Filter {
  readonly role?: Role
  readonly tag?: string
  /** Metadata that must be there, with equal values: `{ important: true }`. Nested objects may have more. */
  readonly where?: JSONObject
  /** Text that must occur, whatever its case; every message has the empty text. */
  readonly text?: string
}

export function checkFilter(attempt: string, { role, tag, where, text }: Filter): void {
  if (role !== undefined && !roles.includes(role)) refuse(attempt, 'role', role, roles.join(', '))
  if (tag !== undefined && typeof tag !== 'string') refuse(attempt, 'tag', tag, 'a string')
  if (text !== undefined && typeof text !== 'string') refuse(attempt, 'text', text, 'a string')
  if (where !== undefined) checkJSONObject(attempt, 'where', where)
}

/** The test that a filter stands for, with its text folded once. */
export function matcher({ role, tag, where, text }: Filter): (message: Message) => boolean {
  const needle = text === undefined ? '' : ignoreCase(text)
  return (message) =>
    (role === undefined || message.role === role) &&
    (tag === undefined || message.tags?.includes(tag) === true) &&
    (where === undefined || contains(message.metadata ?? {}, where)) &&
    (needle === '' || ignoreCase(messageText(message)).includes(needle))
}

function contains(value: JSONValue, wanted: JSONValue): boolean {
  if (isPlainObject(wanted)) {
    return (
      isPlainObject(value) &&
      Object.entries(wanted).every(
        ([key, item]) =>
          item === undefined || (Object.hasOwn(value, key) && contains(value[key] as JSONValue, item as JSONValue)),
      )
    )
  }
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => contains(value[index] as JSONValue, item))
    )
  return value === wanted
}
