import type { Draft, Message } from '../../domain/message.ts'
import type { Entry } from '../window/entry.ts'
import type { Unit } from '../window/unit.ts'
import { largestLimit } from './largest-limit.ts'
import { LEAST, type Limit, ShortenedMessage } from './shorten-message.ts'
import { shortenedEntry } from './shorten-entry.ts'
import { shownMessage } from './shown-message.ts'

export interface ShortenRequest {
  /** Units to shorten, as one: they share the room. */
  readonly units: readonly Unit[]
  /** What is behind entries that show something in part already. */
  readonly whole?: ReadonlyMap<Entry, Entry>
  readonly count: (draft: Draft) => number | Promise<number>
  /** Who counts. */
  readonly counter: string
  /** Whether the units fit with these entries in place of theirs. */
  readonly fits: (replaced: ReadonlyMap<Entry, Entry>) => Promise<boolean>
  readonly ledger: 'with-ledger' | 'without'
}

/** Reasoning goes before texts become shorter than this. */
const CHARACTERS_WITH_REASONING_MIN = 600

/**
 * The messages of some units, each shown in part so that all of them fit: short texts stay whole, long ones share what is left
 * fairly. `undefined` if they do not fit at any length.
 */
export async function shortenUnits(request: ShortenRequest): Promise<ReadonlyMap<Entry, Entry> | undefined> {
  const { units, whole, count, counter, fits, ledger } = request
  const messages: { entry: Entry; message: Message; shortened: ShortenedMessage }[] = []
  for (const entry of units.flatMap((unit) => unit.entries)) {
    const message = shownMessage(whole?.get(entry) ?? entry)
    if (message !== undefined) messages.push({ entry, message, shortened: await ShortenedMessage.of(message, count) })
  }
  const longest = messages.reduce((most, { shortened }) => Math.max(most, shortened.longest), 0)
  const entriesAt = async (limit: Limit, with_: ShortenRequest['ledger']): Promise<ReadonlyMap<Entry, Entry>> => {
    const replaced = new Map<Entry, Entry>()
    for (const { entry, message, shortened } of messages) {
      const draft = shortened.within(limit)
      if (draft === undefined) continue
      // Without parts it would be no message: then there was nothing but reasoning.
      const shown = draft.parts.length === 0 ? { ...draft, parts: message.parts } : draft
      const counted = { tokens: await count(shown), tokenizer: counter }
      replaced.set(entry, await shortenedEntry(message, shown, counted, with_))
    }
    return replaced
  }
  for (const reasoning of [true, false]) {
    const least = reasoning ? CHARACTERS_WITH_REASONING_MIN : LEAST.characters
    const characters = await largestLimit(least, longest, async (limit) =>
      fits(await entriesAt({ characters: limit, reasoning }, 'without')),
    )
    if (characters !== undefined) return entriesAt({ characters, reasoning }, ledger)
  }
  return undefined
}
