import type { Note, NotesOptions } from '../api/state.ts'
import { ignoreCase } from '../domain/ignore-case.ts'
import type { StateRow } from '../ports/state-store.ts'
import { entriesFrom } from './entry.ts'

/** The notes in these rows that were asked for, oldest first. */
export function selectNotes(rows: readonly StateRow[], { tag, text, done }: NotesOptions = {}): readonly Note[] {
  const wanted = text === undefined ? undefined : ignoreCase(text)
  return entriesFrom(rows)
    .map(({ value }) => value as unknown as Note)
    .filter(
      (note) =>
        (tag === undefined || note.tags.includes(tag)) &&
        (done === undefined || note.done === done) &&
        (wanted === undefined || ignoreCase(note.text).includes(wanted)),
    )
    .toSorted((a, b) => (a.createdAt === b.createdAt ? compare(a.id, b.id) : compare(a.createdAt, b.createdAt)))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
