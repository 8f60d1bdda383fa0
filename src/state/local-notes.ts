import type { Note, NoteChange, Notes } from '../api/state.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import { redactState } from '../log/redact.ts'
import type { StateRow } from '../ports/state-store.ts'
import { checkCall } from '../surface/check-call.ts'
import { noteOperations } from '../surface/notes.ts'
import { type NextVersion, type RowChange, alreadyThere, changeRow, notFound } from './change-row.ts'
import { entriesFrom } from './entry.ts'
import { selectNotes } from './select-notes.ts'
import type { StateWiring } from './wiring.ts'

/** The agent's scratchpad: one row per note, so that adding a note does not write the others again. */
export function localNotes(wiring: StateWiring, address: Address): Pick<Notes, 'list' | 'update' | 'delete' | 'add'> {
  const { store, work, log, redactor } = wiring
  const change = <Result>(
    id: string,
    decide: (row: StateRow | undefined, next: NextVersion) => RowChange<Result>,
  ): Promise<Result> => changeRow(wiring, address, { section: 'note', key: id }, decide)
  /** Only its words are shown to the redactor. */
  const redacted = async <Given extends NoteChange>(id: string, given: Given): Promise<Given> => {
    const words = Object.fromEntries(
      Object.entries({ text: given.text, tags: given.tags }).filter(([, value]) => value !== undefined),
    )
    return Object.keys(words).length === 0
      ? given
      : { ...given, ...(await redactState(redactor, { kind: 'note', key: id, value: words })) }
  }
  return {
    list: async (options = {}) => {
      checkCall(noteOperations.list, options)
      work.checkOpen()
      const { rows } = await store.state.read(address, { section: 'note' })
      return selectNotes(rows, options)
    },
    add: async (given) => {
      const note = typeof given === 'string' ? { text: given } : given
      checkCall(noteOperations.add, note)
      const { id = log.newId() } = note
      const clean = redactor.state === undefined ? note : await redacted(id, note)
      checkCall(noteOperations.add, clean)
      const { text, tags = [], done = false, createdAt, updatedAt } = clean
      return change(id, (row, { at }) => {
        if (row !== undefined) return alreadyThere('note', id)
        const made = new Date(createdAt ?? at).toISOString()
        const changed = updatedAt === undefined ? made : new Date(updatedAt).toISOString()
        return written({ id, text, tags: [...tags], done, createdAt: made, updatedAt: changed })
      })
    },
    update: async (id, wanted) => {
      checkCall(noteOperations.change, id, wanted)
      const clean = redactor.state === undefined ? wanted : await redacted(id, wanted)
      checkCall(noteOperations.change, id, clean)
      const { expected, ...changed } = clean
      return change(id, (row, { at }) => {
        const [entry] = entriesFrom(row === undefined ? [] : [row])
        if (entry === undefined) return notFound('note', id)
        const note = entry.value as unknown as Note
        const found = Date.parse(note.updatedAt)
        if (expected !== undefined && new Date(expected).getTime() !== found) return changedSince(id, expected, note)
        // Two changes in one millisecond have different times, so that each can be expected.
        const updatedAt = new Date(at === found ? at + 1 : at).toISOString()
        return written({ ...note, ...changed, updatedAt })
      })
    },
    delete: async (id) => {
      checkCall(noteOperations.delete, id)
      return change(id, (row) => (row === undefined ? { result: false } : { result: true, value: null }))
    },
  }
}

function changedSince(id: string, expected: string, { updatedAt }: Note): MemoryError {
  const message = `Cannot change the note ${quote(id)}: it was last changed at ${updatedAt}, expected ${expected}`
  return new MemoryError('state/conflict', message, { note: id, expected, found: updatedAt })
}

function written(note: Note): RowChange<Note> {
  return { result: note, value: JSON.stringify(note) }
}
