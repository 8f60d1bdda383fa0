import type { Task } from '../../api/state.ts'
import { isPlainObject } from '../../domain/check-json.ts'
import { MemoryError } from '../../domain/error.ts'
import { roles } from '../../domain/message.ts'
import { parseTime } from '../../domain/moment.ts'
import { checkId } from '../../domain/names.ts'
import { refuse } from '../../domain/refuse.ts'
import { type TaskStatus, taskStatuses } from '../../domain/task-status.ts'
import type { ContextDocument } from '../../api/document.ts'
import { aPlan } from '../../surface/contexts.ts'
import { aToolCount } from '../../surface/document-shapes.ts'
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
  const given = objectOf('document', value)
  const { schema = DOCUMENT_SCHEMA, session_id: session } = given
  if (typeof schema !== 'number' || !Number.isSafeInteger(schema) || schema < 0)
    refuse(ATTEMPT, 'schema', schema, 'a whole number')
  if (schema > DOCUMENT_SCHEMA)
    throw new MemoryError(
      'store/newer-schema',
      `Cannot ${ATTEMPT}: its schema is ${schema}, expected at most ${DOCUMENT_SCHEMA}, so a newer version wrote it`,
      { schema, known: DOCUMENT_SCHEMA },
    )
  checkId(ATTEMPT, 'session_id', session)
  const empty = newDocument(session)
  const { plan } = given
  if (plan !== undefined && plan !== null) aPlan.check(ATTEMPT, 'plan', plan)
  const document: Record<string, unknown> = {
    ...empty,
    ...Object.fromEntries(Object.entries(given).filter(([, field]) => field !== null && field !== undefined)),
    schema: DOCUMENT_SCHEMA,
    system_state: { ...empty.system_state, ...present(objectOr('system_state', given['system_state'])) },
    facts: listOr('facts', given['facts']).map((fact, index) => textOf(`facts[${index}]`, fact)),
    recent_history: listOr('recent_history', given['recent_history']).map(parseEntry),
    long_term_summary: textOf('long_term_summary', given['long_term_summary'] ?? ''),
    active_tasks: listOr('active_tasks', given['active_tasks']).map(parseTask),
    tool_stats: { ...empty.tool_stats, ...present(objectOr('tool_stats', given['tool_stats'])) },
    last_known_environment: {
      ...empty.last_known_environment,
      ...present(objectOr('last_known_environment', given['last_known_environment'])),
    },
    token_usage: parseUsage(objectOr('token_usage', given['token_usage'])),
  }
  aToolCount.check(ATTEMPT, 'tool_stats', document['tool_stats'])
  if (document['version'] !== undefined) amountOf('version', document['version'])
  for (const [index, note] of listOr('notes', document['notes']).entries()) checkNote(`notes[${index}]`, note)
  return document as unknown as ContextDocument
}

function parseEntry(value: unknown, index: number): Fields {
  const path = `recent_history[${index}]`
  const { timestamp, role, content, token_count: tokens, ...rest } = present(objectOf(path, value))
  return {
    timestamp: secondsOf(`${path}.timestamp`, timestamp),
    role: knownRole(textOf(`${path}.role`, role)),
    content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    ...(tokens === undefined ? {} : { token_count: amountOf(`${path}.token_count`, tokens) }),
    ...rest,
  }
}

/** Before anything is stored: a document comes in whole or not at all. */
function checkNote(path: string, value: unknown): void {
  const { id, text, tags, done, createdAt, updatedAt } = objectOf(path, value)
  checkId(ATTEMPT, `${path}.id`, id)
  if (textOf(`${path}.text`, text).trim() === '') refuse(ATTEMPT, `${path}.text`, text, 'some text')
  for (const [index, tag] of listOr(`${path}.tags`, tags).entries()) checkId(ATTEMPT, `${path}.tags[${index}]`, tag)
  if (done !== undefined && typeof done !== 'boolean') refuse(ATTEMPT, `${path}.done`, done, 'true or false')
  for (const [name, time] of Object.entries({ createdAt, updatedAt }))
    if (time !== undefined) parseTime(ATTEMPT, `${path}.${name}`, time)
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

function parseTask(value: unknown, index: number): Task {
  const path = `active_tasks[${index}]`
  const {
    id,
    description,
    status,
    progress = 0,
    created_at: created,
    updated_at: updated,
    ...rest
  } = present(objectOf(path, value))
  const word = (typeof status === 'string' ? status : '').toLowerCase()
  const createdAt = secondsOf(`${path}.created_at`, created)
  return {
    id: textOf(`${path}.id`, id),
    description: textOf(`${path}.description`, description ?? ''),
    status: taskStatuses.find((known) => known.toLowerCase() === word) ?? ENDS[word] ?? 'Running',
    progress: Math.min(1, amountOf(`${path}.progress`, progress)),
    created_at: createdAt,
    updated_at: updated === undefined ? createdAt : secondsOf(`${path}.updated_at`, updated),
    ...rest,
  }
}

function parseUsage(fields: Fields): ContextDocument['token_usage'] {
  const { total_input: input = 0, total_output: output = 0 } = present(fields)
  const [totalInput, totalOutput] = [
    amountOf('token_usage.total_input', input),
    amountOf('token_usage.total_output', output),
  ]
  return { total_input: totalInput, total_output: totalOutput, by_session: totalInput + totalOutput }
}

/** Seconds, from seconds, milliseconds or ISO 8601. */
function secondsOf(path: string, value: unknown = 0): number {
  const time = typeof value === 'string' ? Date.parse(value) / 1000 : value
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0)
    refuse(ATTEMPT, path, value, 'seconds since 1970, or an ISO 8601 string')
  return Math.floor(time > SECONDS_MAX ? time / 1000 : time)
}

function amountOf(path: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    refuse(ATTEMPT, path, value, 'a number, 0 or greater')
  return value
}

function textOf(path: string, value: unknown): string {
  if (typeof value !== 'string') refuse(ATTEMPT, path, value, 'a string')
  return value
}

function objectOf(path: string, value: unknown): Fields {
  if (!isPlainObject(value)) refuse(ATTEMPT, path, value, 'an object')
  return value
}

function objectOr(path: string, value: unknown): Fields {
  return objectOf(path, value ?? {})
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
