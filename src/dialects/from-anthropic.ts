import type { Draft } from '../domain/message.ts'
import { CallNames } from './canonical/call-names.ts'
import { field, isArray } from './canonical/json.ts'
import { plainReading } from './canonical/plain-reading.ts'
import { unreadable } from './canonical/unreadable.ts'
import { readAnthropicMessage } from './anthropic/read.ts'
import { withReply } from './from-openai.ts'

/**
 * The reply of `messages.create`, ready to append. The message's id is kept under `provider.anthropic.id`.
 *
 * @throws {MemoryError} `dialect/unreadable` if the value is not a message of the assistant.
 */
export function fromAnthropic(message: unknown): Draft[] {
  const content = field(message, 'content')
  if (field(message, 'role') !== 'assistant' || !isArray(content))
    throw unreadable('a message', 'anthropic', message, "{ role: 'assistant', content: [...] }")
  return readAnthropicMessage({ role: 'assistant', content }, [], plainReading, new CallNames()).map((draft) =>
    withReply(draft, 'anthropic', message),
  )
}
