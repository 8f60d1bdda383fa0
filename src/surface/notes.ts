import type { NewNote, Note, NoteChange, NotesOptions } from '../api/state.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import { aFlag, aText, aTime, anId, anIsoTime, checkedBy } from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SESSION } from './paths.ts'
import { deleted } from './state.ts'
import { aWorkingText } from './working-text.ts'

const NOTES = `${SESSION}/notes`
const NOTE = `${NOTES}/{id}`
const TAGS_MAX = 32

const tags = aListOf(anId, { max: TAGS_MAX, wanted: `a list of at most ${TAGS_MAX} tags` })
const writtenAt: Shape<string> = checkedBy(aTime.form, aTime.wanted, aTime.check)

export const aNote: Shape<Note> = anObject('Note', {
  id: mustHave(aText, 'Its id'),
  text: mustHave(aText, 'The note'),
  tags: mustHave(aListOf(aText), 'Words to find it by'),
  done: mustHave(aFlag, 'Whether it is done'),
  createdAt: mustHave(anIsoTime, 'When it was added'),
  updatedAt: mustHave(anIsoTime, 'When it last changed'),
})

const newNote: Shape<NewNote> = anObject(
  'NewNote',
  {
    text: mustHave(aWorkingText, 'The note'),
    tags: mayHave(tags, 'Words to find it by, at most 32'),
    id: mayHave(anId, 'Its id', 'a new one'),
    done: mayHave(aFlag, 'Whether it is done', 'false'),
    createdAt: mayHave(writtenAt, 'When it was written, for a note from elsewhere', 'now'),
    updatedAt: mayHave(writtenAt, 'When it last changed, for a note from elsewhere', 'when it was written'),
  },
  { what: 'field', called: 'note', wanted: 'text, or an object with text' },
)

const changes: Shape<NoteChange> = anObject(
  'NoteChange',
  {
    text: mayHave(aWorkingText, 'The note from now on'),
    tags: mayHave(tags, 'Its tags from now on'),
    done: mayHave(aFlag, 'Whether it is done'),
    expected: mayHave(
      writtenAt,
      'Change it only if it was last changed at this time: the `updatedAt` that you have read',
      'whatever is there',
    ),
  },
  { what: 'field', called: 'change', wanted: 'an object with text, tags or done' },
)

const noteChange: Shape<NoteChange> = checkedBy(changes.form, changes.wanted, (attempt, path, given) => {
  changes.check(attempt, path, given)
  if (Object.keys(given as object).every((name) => name === 'expected'))
    refuse(attempt, 'change', given, changes.wanted)
})

const notesOptions: Shape<NotesOptions> = anObject('NotesOptions', {
  tag: mayHave(anId, 'Only notes with this tag'),
  text: mayHave(aText, 'Only notes that contain this text, in any case'),
  done: mayHave(aFlag, 'Only notes that are done, or only those that are not', 'both'),
})

const id: RequiredField<string> = mustHave(anId, 'The id of the note')

export const noteOperations: Readonly<Record<'list' | 'add' | 'change' | 'delete', Operation>> = noun('notes', {
  list: {
    help: 'List the notes of a session, oldest first',
    attempt: 'list notes',
    call: 'state.notes.list',
    can: 'read',
    method: 'get',
    path: NOTES,
    options: notesOptions,
    answer: anObject<{ readonly notes: readonly Note[] }>(undefined, { notes: mustHave(aListOf(aNote), 'The notes') }),
    as: 'notes',
    writes: false,
  },
  add: {
    help: 'Add a note',
    attempt: 'add a note',
    call: 'state.notes.add',
    can: 'write',
    method: 'post',
    path: NOTES,
    options: newNote,
    answer: aNote,
    creates: true,
    writes: true,
  },
  change: {
    help: 'Change a note, or mark it as done',
    attempt: 'update a note',
    call: 'state.notes.update',
    can: 'write',
    method: 'patch',
    path: NOTE,
    takes: { id },
    options: noteChange,
    answer: aNote,
    writes: true,
  },
  delete: {
    help: 'Delete a note. The history keeps it',
    attempt: 'delete a note',
    call: 'state.notes.delete',
    can: 'write',
    method: 'delete',
    path: NOTE,
    takes: { id },
    answer: deleted,
    as: 'deleted',
    writes: true,
  },
})
