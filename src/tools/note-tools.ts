import { visibleJSON } from '../domain/visible-json.ts'
import { inWords } from './in-words.ts'
import { listSchema, objectSchema } from './input-schema.ts'
import type { NotePad, PadNote } from './long-term-scope.ts'
import type { Tool } from './tool.ts'
import { flag, textField, textFields } from './tool-input.ts'

const SHOWN_MAX = 50

/** The tools by which an agent keeps a scratchpad: what it must not lose while it works, however long that takes. */
export function noteTools(pad: () => NotePad | undefined): readonly Tool[] {
  const notes = (): NotePad => {
    const found = pad()
    if (found === undefined) throw new Error('this session has no scratchpad')
    return found
  }
  return [addTool(notes), listTool(notes), updateTool(notes), finishTool(notes)].map(inWords)
}

function addTool(notes: () => NotePad): Tool {
  return {
    name: 'add_note',
    description:
      'Write something on your scratchpad for this conversation: an interim result, an open question, a decision. Notes stay when older messages are summarised.',
    inputSchema: objectSchema(
      {
        text: { type: 'string', description: 'The note.' },
        tags: { ...listSchema, description: 'Words to find it by.' },
      },
      ['text'],
    ),
    async execute(input) {
      const wanted = textField(input, 'text')
      if (wanted === '') return 'Nothing was noted: text is empty, expected a note.'
      return `Noted: ${shown(await notes().add({ text: wanted, tags: textFields(input, 'tags') }))}`
    },
  }
}

function listTool(notes: () => NotePad): Tool {
  return {
    name: 'list_notes',
    description: 'Read your scratchpad: all notes that are not done, or those with a tag or with some words in them.',
    inputSchema: objectSchema(
      {
        tag: { type: 'string', description: 'Only notes with this tag.' },
        text: { type: 'string', description: 'Only notes with these words.' },
        done: { type: 'boolean', description: 'Those that are done instead.' },
      },
      [],
    ),
    async execute(input) {
      const [tag, words] = [textField(input, 'tag'), textField(input, 'text')]
      const found = await notes().list({
        done: flag(input, 'done') ?? false,
        ...(tag === '' ? {} : { tag }),
        ...(words === '' ? {} : { text: words }),
      })
      if (found.length === 0) return 'There are no such notes.'
      const lines = found.slice(-SHOWN_MAX).map(shown)
      const more = found.length - lines.length
      return [...(more === 0 ? [] : [`${more} older ones are not shown.`]), ...lines].join('\n')
    },
  }
}

function updateTool(notes: () => NotePad): Tool {
  return {
    name: 'update_note',
    description: 'Change a note on your scratchpad.',
    inputSchema: objectSchema(
      {
        id: { type: 'string', description: 'The id of the note.' },
        text: { type: 'string', description: 'What it says from now on.' },
        tags: { ...listSchema, description: 'Its tags from now on.' },
      },
      ['id'],
    ),
    async execute(input) {
      const [id, wanted, tags] = [textField(input, 'id'), textField(input, 'text'), textFields(input, 'tags')]
      if (id === '' || (wanted === '' && tags.length === 0))
        return 'Nothing was changed: expected an id, and text or tags.'
      const change = { ...(wanted === '' ? {} : { text: wanted }), ...(tags.length === 0 ? {} : { tags }) }
      return `Changed: ${shown(await notes().update(id, change))}`
    },
  }
}

function finishTool(notes: () => NotePad): Tool {
  return {
    name: 'finish_note',
    description: 'Mark a note on your scratchpad as done.',
    inputSchema: objectSchema({ id: { type: 'string', description: 'The id of the note.' } }, ['id']),
    async execute(input) {
      const id = textField(input, 'id')
      if (id === '') return 'Nothing was finished: id is empty, expected one.'
      return `Done: ${shown(await notes().update(id, { done: true }))}`
    },
  }
}

/** As JSON: what is in a note stays in it, whatever it says. */
function shown({ id, text: said, tags, done }: PadNote): string {
  return visibleJSON({ id, text: said, ...(tags.length === 0 ? {} : { tags }), ...(done ? { done } : {}) })
}
