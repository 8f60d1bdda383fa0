import { MemoryError } from '../domain/error.ts'
import { checkId } from '../domain/names.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { Address } from '../log/log.ts'
import type { StateDecision, StateHead, StateRow } from '../ports/state-store.ts'
import { type StateOutcome, decideWrite, nextTime, notFound, refused, resultOf } from '../state/decide.ts'
import { entriesFrom } from '../state/entry.ts'
import { type Note, type NoteChange, type NotesOptions, selectNotes } from '../state/note.ts'
import type { Notes } from '../state/session-state.ts'
import { checkNoteChange, checkNotesOptions, checkedNote } from './check-state.ts'
import type { Wiring } from './wiring.ts'
import { redactState } from '../log/redact.ts'

/** The agent's scratchpad: a row for each note, so that a long one is not written again for every line. */
export function localNotes(parts: Wiring, address: Address): Notes {
  const { store, work, log, redactor } = parts
  const list = async (options: NotesOptions = {}): Promise<readonly Note[]> => {
    work.checkOpen()
    checkNotesOptions(options)
    const { rows } = await store.state.read(address, { section: 'note' })
    return selectNotes(
      entriesFrom(rows).map(({ value }) => value as unknown as Note),
      options,
    )
  }
  const change = <Result>(
    id: string,
    decide: (head: StateHead, row: StateRow | undefined) => StateDecision<StateOutcome<Result>>,
  ): Promise<Result> => {
    work.checkOpen()
    const on = { section: 'note', keys: [id] } as const
    return work.begin(store.state.change(address, on, (head, rows) => decide(head, rows.get(id))).then(resultOf))
  }
  /** Its words; whether it is done tells nothing. */
  const redactedNote = async <Given extends NoteChange>(id: string, given: Given): Promise<Given> => {
    const { text, tags } = given
    const words = { ...(text === undefined ? {} : { text }), ...(tags === undefined ? {} : { tags }) }
    return Object.keys(words).length === 0
      ? given
      : { ...given, ...(await redactState(redactor, { kind: 'note', key: id, value: words })) }
  }
  const update = async (id: string, wanted: NoteChange): Promise<Note> => {
    checkId('update a note', 'id', id)
    checkNoteChange(wanted)
    const clean = redactor.state === undefined ? wanted : await redactedNote(id, wanted)
    checkNoteChange(clean)
    return change(id, (head, row) => {
      if (row?.value === undefined || row.value === null) return refused(notFound('note', id))
      const at = nextTime(head, log.clock.now())
      const note = { ...(JSON.parse(row.value) as Note), ...clean, updatedAt: new Date(at).toISOString() }
      return written(note, at)
    })
  }
  return {
    list,
    search: async (text, options = {}) => {
      if (typeof text !== 'string') refuse('search notes', 'text', text, 'a string')
      return list({ ...options, text })
    },
    add: async (given) => {
      const checked = checkedNote(given)
      const { id = log.newId() } = checked
      const clean = redactor.state === undefined ? checked : checkedNote(await redactedNote(id, checked))
      const { text, tags = [], done = false, createdAt, updatedAt } = clean
      return change(id, (head, row) => {
        if (row !== undefined) return refused(exists(id))
        const at = nextTime(head, log.clock.now())
        const made = new Date(createdAt ?? at).toISOString()
        const changed = updatedAt === undefined ? made : new Date(updatedAt).toISOString()
        return written({ id, text, tags: [...tags], done, createdAt: made, updatedAt: changed }, at)
      })
    },
    update,
    done: (id) => update(id, { done: true }),
    delete: async (id) => {
      checkId('delete a note', 'id', id)
      const outcome = await change(id, (head, row) =>
        decideWrite(head, new Map(row === undefined ? [] : [[id, row]]), { key: id, now: log.clock.now() }),
      )
      return outcome === 'deleted'
    },
  }
}

function written(note: Note, at: number): StateDecision<StateOutcome<Note>> {
  return { answer: { ok: true, result: note }, at, rows: [{ key: note.id, value: JSON.stringify(note) }] }
}

function exists(id: string): MemoryError {
  return new MemoryError('state/conflict', `Cannot add the note ${quote(id)}: there is one of that id`, { note: id })
}
