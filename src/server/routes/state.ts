import { z } from 'zod'
import type { JSONValue } from '../../domain/json.ts'
import { MemoryError } from '../../domain/error.ts'
import { quote, refuse } from '../../domain/refuse.ts'
import type { NewNote } from '../../state/note.ts'
import type { Expecting, SessionState, Tasks } from '../../state/session-state.ts'
import type { Task } from '../../state/task.ts'
import { fieldsOf, onlyQuery, optionsOf, present, queryOf, sessionOf } from '../arguments.ts'
import type { Call, Route } from '../route.ts'
import * as schema from '../schemas.ts'

const entry = z.object({ key: z.string(), value: z.any(), version: z.int(), at: z.iso.datetime() })
const task = z.looseObject({ id: z.string(), description: z.string(), status: z.string(), progress: z.number() })
const note = z.looseObject({ id: z.string(), text: z.string(), tags: z.array(z.string()), done: z.boolean() })
const status = z.enum(['Completed', 'Failed', 'Cancelled'])

export const stateRoutes: readonly Route[] = [
  {
    operation: 'sessions.document',
    summary: 'The session as one document that people can read',
    query: z.object({ recent: z.int().min(1).optional(), asOf: z.string().optional() }),
    answer: schema.object,
    handle: (call) => sessionOf(call).document(queryOf(call)),
  },
  {
    operation: 'state.snapshot',
    summary: 'All values of the state at one version',
    query: schema.asOf,
    answer: z.object({ version: z.int(), entries: z.array(entry) }),
    handle: (call) => stateOf(call).snapshot(queryOf(call)),
  },
  {
    operation: 'state.entry',
    summary: 'One value of the state with its version',
    query: schema.asOf,
    answer: entry,
    handle: async (call) => (await stateOf(call).entry(nameOf(call), queryOf(call))) ?? missing(nameOf(call)),
  },
  {
    operation: 'state.set',
    summary: 'Sets a value, if it still has the version that was expected',
    body: z.object({ value: z.any(), expected: z.int().min(0).optional() }),
    answer: entry,
    handle: (call) => {
      const { value, ...options } = fieldsOf(call, 'set a value of the state', ['value', 'expected'])
      return stateOf(call).set(nameOf(call), value as JSONValue, options as Expecting)
    },
  },
  {
    operation: 'state.delete',
    summary: 'Deletes a value; the history keeps it',
    query: z.object({ expected: z.int().min(0).optional() }),
    answer: z.object({ deleted: z.boolean() }),
    handle: async (call) => ({ deleted: await stateOf(call).delete(nameOf(call), queryOf(call)) }),
  },
  {
    operation: 'state.history',
    summary: 'Every change of a value, newest first',
    query: z.object({ limit: z.int().min(1).optional(), before: z.int().min(0).optional() }),
    answer: schema.listOf('changes', entry.partial({ value: true })),
    handle: async (call) => ({ changes: await stateOf(call).history(nameOf(call), queryOf(call)) }),
  },
  {
    operation: 'tasks.list',
    summary: 'The tasks of a session',
    answer: schema.listOf('tasks', task),
    handle: async (call) => ({ tasks: await stateOf(call).tasks.list() }),
  },
  {
    operation: 'tasks.add',
    summary: 'Adds a task',
    body: z.object({
      description: z.string(),
      id: z.string().optional(),
      status: z.enum(['Pending', 'Running']).optional(),
    }),
    answer: task,
    handle: (call) => stateOf(call).tasks.add(optionsOf(call)),
  },
  {
    operation: 'tasks.change',
    summary: 'Notes progress, or how a task ended',
    body: z.object({ progress: z.number().optional(), status: status.optional(), reason: z.string().optional() }),
    answer: task,
    handle: (call) => changeTask(stateOf(call).tasks, call),
  },
  {
    operation: 'notes.list',
    summary: 'The notes of a session, oldest first',
    query: z.object({ tag: z.string().optional(), text: z.string().optional(), done: z.boolean().optional() }),
    answer: schema.listOf('notes', note),
    handle: async (call) => ({ notes: await stateOf(call).notes.list(queryOf(call)) }),
  },
  {
    operation: 'notes.add',
    summary: 'Adds a note',
    body: z.object({ text: z.string(), tags: z.array(z.string()).optional(), id: z.string().optional() }),
    answer: note,
    handle: (call) => stateOf(call).notes.add(optionsOf<NewNote>(call)),
  },
  {
    operation: 'notes.change',
    summary: 'Changes a note, or marks it as done',
    body: z.object({ text: z.string().optional(), tags: z.array(z.string()).optional(), done: z.boolean().optional() }),
    answer: note,
    handle: (call) => stateOf(call).notes.update(nameOf(call), optionsOf(call)),
  },
  {
    operation: 'notes.delete',
    summary: 'Deletes a note; the history keeps it',
    answer: z.object({ deleted: z.boolean() }),
    handle: async (call) => {
      onlyQuery(call, 'delete a note', [])
      return { deleted: await stateOf(call).notes.delete(nameOf(call)) }
    },
  },
]

function stateOf(call: Call): SessionState {
  return sessionOf(call).state
}

function nameOf({ names }: Call): string {
  return names['name'] ?? ''
}

function changeTask(tasks: Tasks, call: Call): Promise<Task> {
  const attempt = 'change a task'
  const { progress, status: ended, reason } = fieldsOf(call, attempt, ['progress', 'status', 'reason'])
  const name = nameOf(call)
  if ((progress === undefined) === (ended === undefined))
    refuse(attempt, 'body', { progress, status: ended }, 'either progress or status')
  if (ended === undefined) return tasks.progress(name, progress as number)
  const { reason: why } = present({ reason }) as { readonly reason?: string }
  if (ended === 'Completed') return tasks.finish(name)
  if (ended === 'Failed') return tasks.fail(name, why)
  if (ended === 'Cancelled') return tasks.cancel(name, why)
  return refuse(attempt, 'status', ended, 'Completed, Failed or Cancelled')
}

function missing(name: string): never {
  throw new MemoryError('state/not-found', `Cannot find the value ${quote(name)}: the session has none of that name`, {
    value: name,
  })
}
