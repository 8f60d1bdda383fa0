import type { Draft } from '../domain/message.ts'
import { arrayOf, field, isArray, stringOf, toJSON } from './canonical/json.ts'
import { plainReading } from './canonical/plain-reading.ts'
import { unreadable } from './canonical/unreadable.ts'
import { withReply } from './from-openai.ts'
import { readGemini } from './gemini/read.ts'

/**
 * The reply of `generateContent`, ready to append: its first candidate. Calls without an id (Gemini 2) get one made of
 * the response's id, so that it is unique in the log and not only in this reply. The response's id is kept under `provider.google.id`.
 *
 * @throws {MemoryError} `dialect/unreadable` if the value is no response with a candidate.
 */
export function fromGemini(response: unknown): Draft[] {
  const content = field(arrayOf(field(response, 'candidates'))[0], 'content')
  const parts = field(content, 'parts')
  if (!isArray(parts)) throw unreadable('a response', 'gemini', response, '{ candidates: [{ content: { parts } }] }')
  const prefix = stringOf(field(response, 'responseId')) ?? `call_${hashOf(toJSON(response))}`
  const drafts = readGemini([{ role: 'model', parts }], plainReading) ?? []
  return drafts.map((draft) =>
    withReply({ ...draft, parts: draft.parts.map((part) => withOwnId(part, prefix)) }, 'google', response),
  )
}

function withOwnId(part: Draft['parts'][number], prefix: string): Draft['parts'][number] {
  const made = part.type === 'tool-call' && part.provider?.['wire:gemini']?.['noId'] === true
  return made ? { ...part, id: `${prefix}_${part.id}` } : part
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a: replies without an id are told apart by what is in them. */
function hashOf(text: string): string {
  let hash = FNV_OFFSET
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME)
  return (hash >>> 0).toString(16)
}
