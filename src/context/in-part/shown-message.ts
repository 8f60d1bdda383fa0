import type { Message } from '../../domain/message.ts'
import { type Entry, positionOf } from '../window/entry.ts'

/** The message that an entry shows, whole or shortened before; `undefined` for summaries, records and what was dropped. */
export function shownMessage(entry: Entry): Message | undefined {
  if (entry.type === 'message') return entry.message
  const { fold } = entry
  const [draft] = fold.standIn
  if (draft === undefined || (fold.kind !== 'offload' && fold.kind !== 'truncate')) return undefined
  const { id, firstAt: at, tokens, tokenizer } = fold
  return { ...draft, id: draft.id ?? id, seq: positionOf(entry), at, tokens, tokenizer, revision: 0 }
}
