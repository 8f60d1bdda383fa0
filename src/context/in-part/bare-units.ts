import type { Entry } from '../window/entry.ts'
import type { Unit } from '../window/unit.ts'
import { type CallIds, bareMessage } from './bare-message.ts'
import { shortenedEntry } from './shorten-entry.ts'
import type { ShortenRequest } from './shorten-units.ts'
import { shownMessage } from './shown-message.ts'

/** The least that the messages of some units can be. */
export async function bareUnits(
  units: readonly Unit[],
  { whole, count, counter }: Pick<ShortenRequest, 'whole' | 'count' | 'counter'>,
): Promise<ReadonlyMap<Entry, Entry>> {
  const replaced = new Map<Entry, Entry>()
  const ids: CallIds = new Map()
  const shown = units
    .flatMap((unit) => unit.entries)
    .flatMap((entry) => {
      const message = shownMessage(whole?.get(entry) ?? entry)
      return message === undefined ? [] : [{ entry, message }]
    })
  // Calls first, so that results find the ids that their calls were given.
  const calls = shown.filter(({ message }) => message.role === 'assistant')
  const others = shown.filter(({ message }) => message.role !== 'assistant')
  for (const { entry, message } of [...calls, ...others]) {
    const draft = await bareMessage(message, ids, count)
    if (JSON.stringify(draft.parts) === JSON.stringify(message.parts)) continue
    const counted = { tokens: await count(draft), tokenizer: counter }
    replaced.set(entry, await shortenedEntry(message, draft, counted, 'without'))
  }
  return replaced
}
