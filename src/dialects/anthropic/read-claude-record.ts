import { defined } from '../../domain/defined.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { CallNames } from '../canonical/call-names.ts'
import { isObject, stringOf } from '../canonical/json.ts'
import { plainReading } from '../canonical/plain-reading.ts'
import { readAnthropicMessage } from './read.ts'

/** What a record of a Claude Code transcript says, or why it says nothing. */
export interface ClaudeRecord {
  readonly drafts: readonly Draft[]
  readonly reason?: 'not-a-message' | 'hidden' | 'no-content' | 'wrong-type'
  readonly message: string
}

/** Reads one record of a transcript of Claude Code, which the Claude Agent SDK writes, too. `at` is when it was written. */
export function readClaudeRecord(record: JSONObject, names: CallNames, at: string | undefined): ClaudeRecord {
  const { type, message } = record
  if (type !== 'user' && type !== 'assistant')
    return { drafts: [], reason: 'not-a-message', message: `a record of type ${String(type)}` }
  if (record['isMeta'] === true || record['isCompactSummary'] === true || record['isVisibleInTranscriptOnly'] === true)
    return { drafts: [], reason: 'hidden', message: 'a record that Claude Code keeps for itself' }
  if (!isObject(message)) return { drafts: [], reason: 'wrong-type', message: 'a record without its message' }
  const model = stringOf(message['model'])
  const read = readAnthropicMessage({ role: type, content: message['content'] ?? [] }, [], plainReading, names)
    .map((draft) => ({
      ...draft,
      parts: draft.parts.filter(
        (part) =>
          (part.type !== 'text' && part.type !== 'reasoning') || part.text !== '' || part.provider !== undefined,
      ),
      ...defined({ at }),
      ...(model === undefined || type === 'user' ? {} : { metadata: { model } }),
    }))
    .filter(({ parts }) => parts.length > 0)
  return read.length === 0
    ? { drafts: [], reason: 'no-content', message: 'an empty message' }
    : { drafts: read, message: '' }
}
