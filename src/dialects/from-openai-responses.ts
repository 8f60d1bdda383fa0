import type { Draft } from '../domain/message.ts'
import { field, isArray } from './canonical/json.ts'
import { plainReading } from './canonical/plain-reading.ts'
import { unreadable } from './canonical/unreadable.ts'
import { withReply } from './from-openai.ts'
import { readResponses } from './openai-responses/read.ts'

/**
 * The reply of `responses.create`, ready to append. Item ids (`rs_…`, `msg_…`, `fc_…`) stay with their parts; the
 * response's own id is kept under `provider.openai.id`.
 *
 * @throws {MemoryError} `dialect/unreadable` if the value is no response.
 */
export function fromOpenAIResponses(response: unknown): Draft[] {
  const output = field(response, 'output')
  if (!isArray(output)) throw unreadable('a response', 'openai-responses', response, '{ output: [...] }')
  return (readResponses(output, plainReading) ?? []).map((draft) =>
    draft.role === 'assistant' ? withReply(draft, 'openai', response) : draft,
  )
}
