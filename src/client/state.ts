import { checkJSON } from '../domain/check-json.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { keepComponents } from '../state/component.ts'
import { type StateChange, type StateEntry, type StateSnapshot, valuesOf } from '../state/entry.ts'
import type { NewNote, Note } from '../state/note.ts'
import type { Expecting, Notes, SessionState, StateAsOf, Tasks } from '../state/session-state.ts'
import type { Task } from '../state/task.ts'
import { updateValue } from '../state/update-value.ts'
import type { OperationName } from '../wire/operations.ts'
import { orUndefined } from './or-undefined.ts'
import type { Sending } from './transport.ts'

type Call = <Answer>(operation: OperationName, sending?: Sending) => Promise<Answer>

/** The working document of a session, behind a server. */
export function remoteState(call: Call): SessionState {
  // An address has no place for a name that is empty: the library's words for that are said here.
  const named = <Answer>(operation: OperationName, name: string, sending: Sending): Promise<Answer> => {
    checkId('use the state', 'key', name)
    return call<Answer>(operation, { names: { name }, ...sending })
  }
  const entry = async (name: string, query: StateAsOf = {}): Promise<StateEntry | undefined> =>
    orUndefined(named<StateEntry>('state.entry', name, { query }))
  const snapshot = (query: StateAsOf = {}): Promise<StateSnapshot> => call('state.snapshot', { query })
  const set = (name: string, value: JSONValue, options: Expecting = {}): Promise<StateEntry> => {
    checkOptions('set a value of the state', options, ['expected'])
    // What JSON would silently turn into something else must not travel.
    checkJSON('set a value of the state', 'value', value)
    return named('state.set', name, { body: { ...options, value } })
  }
  const remove = async (name: string, query: Expecting = {}): Promise<boolean> =>
    (await named<{ deleted: boolean }>('state.delete', name, { query })).deleted
  return {
    get: (async (key?: string, query: StateAsOf = {}): Promise<JSONObject | JSONValue | undefined> =>
      key === undefined
        ? valuesOf((await snapshot(query)).entries)
        : (await entry(key, query))?.value) as SessionState['get'],
    entry,
    snapshot,
    set: async (key, value, options) => set(key, value, options),
    update: (key, change) => updateValue({ entry, set }, key, change),
    delete: remove,
    history: async (name, query = {}) =>
      (await named<{ changes: readonly StateChange[] }>('state.history', name, { query })).changes,
    tasks: remoteTasks(call),
    notes: remoteNotes(call),
    components: (parts) => keepComponents({ entry, set, delete: remove }, parts),
  }
}

function remoteTasks(call: Call): Tasks {
  const change = async (name: string, body: object): Promise<Task> => call('tasks.change', { names: { name }, body })
  return {
    list: async () => (await call<{ tasks: readonly Task[] }>('tasks.list')).tasks,
    add: async (body) => call('tasks.add', { body }),
    progress: (id, progress) => change(id, { progress }),
    finish: (id) => change(id, { status: 'Completed' }),
    fail: (id, reason) => change(id, { status: 'Failed', reason }),
    cancel: (id, reason) => change(id, { status: 'Cancelled', reason }),
  }
}

function remoteNotes(call: Call): Notes {
  const list: Notes['list'] = async (query = {}) =>
    (await call<{ notes: readonly Note[] }>('notes.list', { query })).notes
  const update: Notes['update'] = async (name, body) => call('notes.change', { names: { name }, body })
  return {
    list,
    search: (text, options = {}) => list({ ...options, text }),
    add: async (note: NewNote | string) =>
      call('notes.add', { body: typeof note === 'string' ? { text: note } : note }),
    update,
    done: (id) => update(id, { done: true }),
    delete: async (name) => (await call<{ deleted: boolean }>('notes.delete', { names: { name } })).deleted,
  }
}
