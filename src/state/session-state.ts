import { defined } from '../domain/defined.ts'
import type { Notes, SessionState, StateAsOf, Tasks } from '../api/state.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { keepComponents } from './component.ts'
import { valuesOf } from './entry.ts'
import { updateValue } from './update-value.ts'

/** The calls that a state is made from: each is one operation. */
export interface StateCalls extends Pick<SessionState, 'entry' | 'snapshot' | 'set' | 'delete' | 'history'> {
  readonly tasks: Pick<Tasks, 'list' | 'add' | 'update'>
  readonly notes: Pick<Notes, 'list' | 'add' | 'update' | 'delete'>
}

/** The state of a session, from its calls: the same shortcuts on a store and behind a server. */
export function sessionState(calls: StateCalls): SessionState {
  const { entry, snapshot, set, delete: remove, history, tasks, notes } = calls
  const get = async (key?: string, options: StateAsOf = {}): Promise<JSONObject | JSONValue | undefined> =>
    key === undefined ? valuesOf((await snapshot(options)).entries) : (await entry(key, options))?.value
  return {
    get: get as SessionState['get'],
    entry,
    snapshot,
    set,
    update: (key, change) => updateValue({ entry, set }, key, change),
    delete: remove,
    history,
    tasks: {
      ...tasks,
      progress: (id, progress) => tasks.update(id, { progress }),
      finish: (id) => tasks.update(id, { status: 'Completed' }),
      fail: (id, reason) => tasks.update(id, { status: 'Failed', ...because(reason) }),
      cancel: (id, reason) => tasks.update(id, { status: 'Cancelled', ...because(reason) }),
    },
    notes: {
      ...notes,
      // Over HTTP a note is always an object.
      add: (note) => notes.add(typeof note === 'string' ? { text: note } : note),
      search: (text, options) => notes.list({ ...options, text }),
      done: (id) => notes.update(id, { done: true }),
    },
    components: (parts) => keepComponents({ entry, set, delete: remove }, parts),
  }
}

function because(reason: string | undefined): { readonly reason?: string } {
  return defined({ reason })
}
