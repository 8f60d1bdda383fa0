import type { SessionState } from '../api/state.ts'
import { type StateCalls, sessionState } from '../state/session-state.ts'
import { noteOperations } from '../surface/notes.ts'
import type { Operation } from '../surface/operation.ts'
import { stateOperations } from '../surface/state.ts'
import { taskOperations } from '../surface/tasks.ts'
import { type RemotePlace, remoteMethods } from './call-remote.ts'
import type { Transport } from './transport.ts'

const described = [stateOperations, taskOperations, noteOperations].flatMap((noun): readonly Operation[] =>
  Object.values(noun),
)

/** The working document of a session, behind a server. */
export function remoteState(transport: Transport, place: RemotePlace): SessionState {
  const { state } = remoteMethods(transport, place, described) as { readonly state: StateCalls }
  return sessionState(state)
}
