import type { Window } from '../context/window/window.ts'
import type { PassageRow } from '../ports/recall-store.ts'
import { seqOf, threadOf } from './place.ts'

/** Tells the messages and folds of a window from others, also those that a fork shares with the session it came from. */
export function shownInWindow({
  view,
  entries,
}: Pick<Window, 'view' | 'entries'>): (passage: Pick<PassageRow, 'thread' | 'place' | 'reference'>) => boolean {
  const shown = new Set<string>()
  for (const entry of entries) {
    if (entry.type === 'fold') shown.add(entry.fold.id)
    else
      for (const { key, from, through } of view.segments)
        if (from <= entry.message.seq && entry.message.seq <= through)
          shown.add(`${threadOf('message', key)} ${entry.message.seq}`)
  }
  return ({ thread, place, reference }) => shown.has(reference === '' ? `${thread} ${seqOf(place)}` : reference)
}
