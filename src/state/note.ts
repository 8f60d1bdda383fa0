import { ignoreCase } from '../domain/ignore-case.ts'

/** A line on the agent's scratchpad. */
export interface Note {
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
  readonly done: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export interface NewNote {
  readonly text: string
  readonly tags?: readonly string[]
  /** @default a fresh one */
  readonly id?: string
  /** @default false */
  readonly done?: boolean
  /** For notes that come from elsewhere. @default now */
  readonly createdAt?: string
  /** @default when it was made */
  readonly updatedAt?: string
}

export interface NoteChange {
  readonly text?: string
  readonly tags?: readonly string[]
  readonly done?: boolean
}

export interface NotesOptions {
  readonly tag?: string
  /** Text in the note, whatever its case. */
  readonly text?: string
  /** @default both */
  readonly done?: boolean
}

/** Oldest first. */
export function selectNotes(notes: readonly Note[], { tag, text, done }: NotesOptions): readonly Note[] {
  const wanted = text === undefined ? undefined : ignoreCase(text)
  return notes
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
