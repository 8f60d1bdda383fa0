import { defined } from '../../domain/defined.ts'
import type { ContextDocument } from '../../api/document.ts'
import { isPlainObject } from '../../domain/check-json.ts'
import { MemoryError } from '../../domain/error.ts'
import { roles } from '../../domain/message.ts'
import { checkId } from '../../domain/names.ts'
import { quote, refuse } from '../../domain/refuse.ts'
import { type TaskStatus, taskStatuses } from '../../domain/task-status.ts'
import { aFlag, aText, aTime, aWholeNumber } from '../../shape/values.ts'
import { aToolCount, anAmount, documentSections } from '../../surface/document-shapes.ts'
import { DOCUMENT_SCHEMA, newDocument } from './document.ts'

const ATTEMPT = 'read a document'
/** Later than any time in seconds that makes sense, and before any in milliseconds. */
const SECONDS_MAX = 100_000_000_000

type Fields = Readonly<Record<string, unknown>>

/**
 * A document from what JSON says. What is missing has the value of a new one, so that documents of other writers are read;
 * what is there must be of its kind. Fields that we do not know are kept.
 *
 * @throws {MemoryError} `store/newer-schema` if a newer version wrote it, `input/invalid` if it is no document.
 */
export function parseDocument(value: unknown): ContextDocument {
  const given = present(objectOf('document', value))
  const { schema = DOCUMENT_SCHEMA, session_id: session } = given
  aWholeNumber.check(ATTEMPT, 'schema', schema)
  if (Number(schema) > DOCUMENT_SCHEMA)
    throw new MemoryError(
      'store/newer-schema',
      `Cannot ${ATTEMPT}: its schema is ${quote(schema)}, expected at most ${DOCUMENT_SCHEMA}, so a newer version wrote it`,
      { schema, known: DOCUMENT_SCHEMA },
    )
  checkId(ATTEMPT, 'session_id', session)
  const empty = newDocument(session)
  const document: Record<string, unknown> = {
    ...empty,
    ...given,
    schema: DOCUMENT_SCHEMA,
    recent_history: listOr('recent_history', given['recent_history']).map(parseEntry),
    active_tasks: listOr('active_tasks', given['active_tasks']).map(parseTask),
    token_usage: parseUsage(objectOf('token_usage', given['token_usage'] ?? {})),
  }
  for (const key of ['system_state', 'tool_stats', 'last_known_environment'] as const)
    document[key] = { ...empty[key], ...present(objectOf(key, given[key] ?? {})) }
  for (const [key, shape] of documentSections) if (document[key] !== undefined) shape.check(ATTEMPT, key, document[key])
  aToolCount.check(ATTEMPT, 'tool_stats', document['tool_stats'])
  if (document['version'] !== undefined) anAmount.check(ATTEMPT, 'version', document['version'])
  for (const [index, note] of listOr('notes', document['notes']).entries()) checkNote(`notes[${index}]`, note)
  return document as unknown as ContextDocument
}

function parseEntry(value: unknown, index: number): Fields {
  const path = `recent_history[${index}]`
  const { timestamp, role, content, token_count: tokens, ...rest } = present(objectOf(path, value))
  aText.check(ATTEMPT, `${path}.role`, role)
  if (tokens !== undefined) anAmount.check(ATTEMPT, `${path}.token_count`, tokens)
  return {
    timestamp: secondsOf(`${path}.timestamp`, timestamp),
    role: knownRole(role as string),
    content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    ...defined({ token_count: tokens }),
    ...rest,
  }
}

/** Before anything is stored: a document is imported whole or not at all. */
function checkNote(path: string, value: unknown): void {
  const { id, text, tags, done = false, createdAt, updatedAt } = objectOf(path, value)
  checkId(ATTEMPT, `${path}.id`, id)
  if (typeof text !== 'string' || text.trim() === '') refuse(ATTEMPT, `${path}.text`, text, 'some text')
  for (const [index, tag] of listOr(`${path}.tags`, tags).entries()) checkId(ATTEMPT, `${path}.tags[${index}]`, tag)
  aFlag.check(ATTEMPT, `${path}.done`, done)
  for (const [name, time] of Object.entries({ createdAt, updatedAt }))
    if (time !== undefined) aTime.check(ATTEMPT, `${path}.${name}`, time)
}

/** `USER`, `User` and `user` are one role. */
function knownRole(role: string): string {
  return roles.find((known) => known === role.toLowerCase()) ?? role
}

/** Words that others use for an end. Whatever else a status says, the task is not over. */
const ENDS: Readonly<Record<string, TaskStatus>> = {
  complete: 'Completed',
  done: 'Completed',
  finished: 'Completed',
  error: 'Failed',
  canceled: 'Cancelled',
  aborted: 'Cancelled',
  todo: 'Pending',
  queued: 'Pending',
}

function parseTask(value: unknown, index: number): Fields {
  const path = `active_tasks[${index}]`
  const { id, description, status, progress = 0, ...others } = present(objectOf(path, value))
  const { created_at: created, updated_at: updated = created, ...rest } = others
  const word = (typeof status === 'string' ? status : '').toLowerCase()
  return {
    id,
    description: description ?? '',
    status: taskStatuses.find((known) => known.toLowerCase() === word) ?? ENDS[word] ?? 'Running',
    progress: typeof progress === 'number' ? Math.min(1, progress) : progress,
    created_at: secondsOf(`${path}.created_at`, created),
    updated_at: secondsOf(`${path}.updated_at`, updated),
    ...rest,
  }
}

function parseUsage(fields: Fields): Fields {
  const { total_input: input = 0, total_output: output = 0 } = present(fields)
  return { total_input: input, total_output: output, by_session: Number(input) + Number(output) }
}

/** Seconds, from seconds, milliseconds or ISO 8601. */
function secondsOf(path: string, value: unknown = 0): number {
  const time = typeof value === 'string' ? Date.parse(value) / 1000 : value
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0)
    refuse(ATTEMPT, path, value, 'seconds since 1970, or an ISO 8601 string')
  return Math.floor(time > SECONDS_MAX ? time / 1000 : time)
}

function objectOf(path: string, value: unknown): Fields {
  if (!isPlainObject(value)) refuse(ATTEMPT, path, value, 'an object')
  return value
}

function listOr(path: string, value: unknown): readonly unknown[] {
  const list = value ?? []
  if (!Array.isArray(list)) refuse(ATTEMPT, path, list, 'a list')
  return list
}

/** Null is what some writers say for nothing. */
function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null && field !== undefined))
}
