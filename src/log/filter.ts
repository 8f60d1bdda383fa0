import type { MessageFilter } from '../api/messages.ts'
import { isPlainObject } from '../domain/check-json.ts'
import { ignoreCase } from '../domain/ignore-case.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Message } from '../domain/message.ts'
import { messageText } from './message-text.ts'

/** The test that a filter stands for, with its text folded once. */
export function matcher({ role, tag, where, text }: MessageFilter): (message: Message) => boolean {
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
