import { defined } from '../domain/defined.ts'
import type { JSONObject } from '../domain/json.ts'
import type { Draft } from '../domain/message.ts'
import { CallNames } from './canonical/call-names.ts'
import { arrayOf, field } from './canonical/json.ts'
import { plainReading } from './canonical/plain-reading.ts'
import { mergeProvider } from './canonical/provider.ts'
import { unreadable } from './canonical/unreadable.ts'
import { readOpenAIMessage } from './openai/read.ts'

/**
 * The reply of `chat.completions.create`, ready to append: its first choice. The completion's id is kept under
 * `provider.openai.id`.
 *
 * @throws {MemoryError} `dialect/unreadable` if the value is no chat completion.
 */
export function fromOpenAI(completion: unknown): Draft[] {
  const draft = readOpenAIMessage(
    field(arrayOf(field(completion, 'choices'))[0], 'message'),
    ['choices', 0, 'message'],
    plainReading,
    new CallNames(),
  )
  if (draft?.role !== 'assistant')
    throw unreadable('a chat completion', 'openai', completion, '{ choices: [{ message }] }')
  return [withReply(draft, 'openai', completion)]
}

/** Notes which reply a draft came from. */
export function withReply(draft: Draft, provider: string, reply: unknown): Draft {
  const id = field(reply, 'id') ?? field(reply, 'responseId')
  if (typeof id !== 'string') return draft
  return { ...draft, ...defined({ provider: mergeProvider(draft.provider, { [provider]: { id } as JSONObject }) }) }
}
