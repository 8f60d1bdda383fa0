import type { Note } from '../api/state.ts'
import { visibleJSON } from '../domain/visible-json.ts'
import { noteOperations } from '../surface/notes.ts'
import { inWords } from './in-words.ts'
import { inputFrom } from './input-from.ts'
import type { NotePad } from './long-term-scope.ts'
import type { Tool } from '../api/tool.ts'
import { flag, textField, textFields } from './tool-input.ts'

const SHOWN_MAX = 50

/** The tools for an agent's scratchpad. */
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
    inputSchema: inputFrom(noteOperations.add, ['text', 'tags']),
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
    inputSchema: inputFrom(noteOperations.list, ['tag', 'text', 'done'], {
      done: { description: 'Whether to list the notes that are done, instead of the open ones' },
    }),
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
    inputSchema: inputFrom(noteOperations.change, ['id', 'text', 'tags']),
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
    inputSchema: inputFrom(noteOperations.change, ['id']),
    async execute(input) {
      const id = textField(input, 'id')
      if (id === '') return 'Nothing was finished: id is empty, expected one.'
      return `Done: ${shown(await notes().update(id, { done: true }))}`
    },
  }
}

/** As JSON, so that the text of a note cannot pass for something else. */
function shown({ id, text: said, tags, done }: Note): string {
  return visibleJSON({ id, text: said, ...(tags.length === 0 ? {} : { tags }), ...(done ? { done } : {}) })
}
