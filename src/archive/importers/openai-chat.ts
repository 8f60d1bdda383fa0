import { field } from '../../dialects/canonical/json.ts'
import { readOpenAI } from '../../dialects/openai/read.ts'
import type { Format } from './format.ts'
import { messageList, transcriptFormat } from './transcript.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Chat messages of OpenAI: one conversation per line, as for fine-tuning, or one message per line. */
export const openaiChat: Format = transcriptFormat({
  name: 'openai-chat',
  isMessage: (value) =>
    ROLES.has(field(value, 'role')) &&
    (field(value, 'content') !== undefined || field(value, 'tool_calls') !== undefined),
  messagesOf: (record) => messageList(record, ['messages', 'conversation']),
  read: readOpenAI,
})
