import type { SessionState } from '../api/state.ts'
import { type StateCalls, sessionState } from '../state/session-state.ts'
import { noteOperations } from '../surface/notes.ts'
import { stateOperations } from '../surface/state.ts'
import { taskOperations } from '../surface/tasks.ts'
import type { RemotePlace } from './call-remote.ts'
import { remoteHandle } from './remote-handle.ts'
import type { Transport } from './transport.ts'

/** The working document of a session, behind a server. */
export function remoteState(transport: Transport, place: RemotePlace): SessionState {
  const { list, add, change } = noteOperations
  return sessionState({
    ...remoteHandle<StateCalls>(transport, place)(stateOperations),
    tasks: remoteHandle<StateCalls['tasks']>(
      transport,
      place,
    )({
      list: taskOperations.list,
      add: taskOperations.add,
      update: taskOperations.change,
    }),
    notes: remoteHandle<StateCalls['notes']>(
      transport,
      place,
    )({
      list,
      add,
      update: change,
      delete: noteOperations.delete,
    }),
  })
}
