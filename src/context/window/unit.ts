import { bundlesOf } from '../../domain/bundle.ts'
import type { Message } from '../../domain/message.ts'
import { type Entry, positionOf, tokensOf } from './entry.ts'

/** What a cut may not part: a bundle's messages, or one fold. The unit in which every stage and the assembly think. */
export interface Unit {
  /** By position; the entries of a bundle need not be neighbours in the window. */
  readonly entries: readonly Entry[]
  readonly tokens: number
  /** Calls of the bundle without a result. */
  readonly open: readonly string[]
}

/** A window as units, in the order of their first entries. A bundle of which a part was shortened by a fold stays one unit. */
export function unitsOf(entries: readonly Entry[]): readonly Unit[] {
  const shown = entries.map(shownMessage)
  const entryOf = new Map(shown.map((message, index) => [message, entries[index] as Entry]))
  return bundlesOf(shown).map(({ messages, open }) => {
    const members = messages.map((message) => entryOf.get(message) as Entry)
    return { entries: members, tokens: members.reduce((sum, entry) => sum + tokensOf(entry), 0), open }
  })
}

/** A fold of one message still carries its calls and results; a summary carries none. */
function shownMessage(entry: Entry): Message {
  if (entry.type === 'message') return entry.message
  const { fold } = entry
  const [draft] = fold.standIn
  const base = {
    id: fold.id,
    seq: positionOf(entry),
    at: fold.firstAt,
    tokens: fold.tokens,
    tokenizer: '',
    revision: 0,
  }
  return draft === undefined ? { ...base, role: 'user', parts: [] } : { ...draft, ...base }
}
