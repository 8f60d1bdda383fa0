import type { Draft } from '../domain/message.ts'
import { field, isArray } from './canonical/json.ts'
import { plainReading } from './canonical/plain-reading.ts'
import { unreadable } from './canonical/unreadable.ts'
import { readAISDK } from './ai-sdk/read.ts'

/**
 * What a call of `generateText` added, ready to append: the result itself, or its `responseMessages` (await them when
 * streaming). All steps, calls and results are in it.
 *
 * @throws {MemoryError} `dialect/unreadable` if the value has no response messages.
 */
export function fromAISDK(result: unknown): Draft[] {
  const candidates = [
    result,
    property(result, 'responseMessages'),
    property(property(result, 'response'), 'messages'),
    property(result, 'messages'),
  ]
  const messages = candidates.find(isArray)
  if (messages === undefined)
    throw unreadable('a result', 'ai-sdk', result, '{ responseMessages: [...] } or an array of messages')
  return [...(readAISDK(messages, plainReading) ?? [])]
}

/** Results of the SDK are instances with getters, not plain objects. */
function property(value: unknown, key: string): unknown {
  return (
    field(value, key) ??
    (typeof value === 'object' && value !== null && key in value ? (value as Record<string, unknown>)[key] : undefined)
  )
}
