import { checkJSON } from '../domain/check-json.ts'
import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONValue } from '../domain/json.ts'
import { type Moment, checkMoment, parseTime } from '../domain/moment.ts'
import { checkId } from '../domain/names.ts'
import { quote, refuse } from '../domain/refuse.ts'
import type { StateQuery } from '../ports/state-store.ts'
import type { NewNote, NoteChange, NotesOptions } from '../state/note.ts'
import { checkSection } from '../state/sections.ts'
import type { Expecting, StateAsOf } from '../state/session-state.ts'
import { checkFlag, checkPosition } from './check-arguments.ts'

const VALUE_BYTES_MAX = 1024 * 1024
const TAGS_MAX = 32

/** The value as it will be read again: JSON, of its section's shape, and not a database in itself. */
export function checkedValue(attempt: string, key: string, value: unknown): JSONValue {
  if (value === undefined) refuse(attempt, 'value', value, 'a JSON value')
  checkJSON(attempt, 'value', value)
  checkSection(attempt, key, value)
  const text = JSON.stringify(value)
  const bytes = Buffer.byteLength(text)
  if (bytes > VALUE_BYTES_MAX)
    throw new MemoryError(
      'input/too-large',
      `Cannot ${attempt}: ${quote(key)} has ${bytes} bytes, expected at most ${VALUE_BYTES_MAX}`,
      { key, bytes, max: VALUE_BYTES_MAX },
    )
  return JSON.parse(text) as JSONValue
}

export function checkExpecting(attempt: string, options: Expecting): void {
  checkOptions(attempt, options, ['expected'])
  if (options.expected !== undefined) checkPosition(attempt, 'expected', options.expected)
}

/** When a state is asked for. */
export function checkedMoment(attempt: string, options: StateAsOf): Pick<StateQuery, 'asOf'> {
  checkOptions(attempt, options, ['asOf'])
  const { asOf } = options
  if (asOf === undefined) return {}
  checkMoment(attempt, 'asOf', asOf)
  return { asOf: momentOf(attempt, asOf) }
}

function momentOf(attempt: string, asOf: Moment): NonNullable<StateQuery['asOf']> {
  return typeof asOf === 'object' && 'version' in asOf
    ? { version: asOf.version }
    : { time: parseTime(attempt, 'asOf', asOf) }
}

export function checkedNote(note: NewNote | string): NewNote {
  const attempt = 'add a note'
  const given = typeof note === 'string' ? { text: note } : note
  checkOptions(attempt, given, ['text', 'tags', 'id', 'done', 'createdAt', 'updatedAt'], 'field')
  checkText(attempt, 'text', given.text)
  if (given.tags !== undefined) checkTags(attempt, given.tags)
  if (given.id !== undefined) checkId(attempt, 'id', given.id)
  if (given.done !== undefined) checkFlag(attempt, 'done', given.done)
  for (const key of ['createdAt', 'updatedAt'] as const)
    if (given[key] !== undefined) parseTime(attempt, key, given[key])
  return given
}

export function checkNoteChange(change: NoteChange): void {
  const attempt = 'update a note'
  checkOptions(attempt, change, ['text', 'tags', 'done'], 'field')
  if (Object.keys(change).length === 0) refuse(attempt, 'change', change, 'text, tags or done')
  if (change.text !== undefined) checkText(attempt, 'text', change.text)
  if (change.tags !== undefined) checkTags(attempt, change.tags)
  if (change.done !== undefined) checkFlag(attempt, 'done', change.done)
}

export function checkNotesOptions(options: NotesOptions): void {
  checkOptions('list notes', options, ['tag', 'text', 'done'])
  if (options.tag !== undefined) checkId('list notes', 'tag', options.tag)
  if (options.text !== undefined && typeof options.text !== 'string')
    refuse('list notes', 'text', options.text, 'a string')
  if (options.done !== undefined) checkFlag('list notes', 'done', options.done)
}

export function checkText(attempt: string, option: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value.trim() === '') refuse(attempt, option, value, 'some text')
  if (Buffer.byteLength(value) > VALUE_BYTES_MAX / 16) refuse(attempt, option, value, 'at most 64 KiB of text')
}

function checkTags(attempt: string, tags: unknown): void {
  if (!Array.isArray(tags) || tags.length > TAGS_MAX)
    refuse(attempt, 'tags', tags, `a list of at most ${TAGS_MAX} tags`)
  for (const tag of tags) checkId(attempt, 'tags', tag)
}
