import type { OperationName } from '../../wire/operations.ts'
import { sessionOf } from '../arguments.ts'
import type { Call, Route } from '../route.ts'
import { type Replay, byVersion, harmless } from './replay.ts'
import { replayFork } from './replay-fork.ts'
import { replayRemember } from './replay-remember.ts'
import { replayRevise } from './replay-revise.ts'

/** Operations that need more than their description says, and those without a description. */
const guards: Partial<Readonly<Record<OperationName, (call: Call) => Replay>>> = {
  'messages.revise': replayRevise,
  'sessions.fork': replayFork,
  'facts.remember': replayRemember,
}

export function replayOf({ operation, described }: Route, call: Call): Replay | undefined {
  const guard = guards[operation]
  if (guard !== undefined) return guard(call)
  if (described?.repeat === 'harmless') return harmless
  if (described?.repeat !== 'by-version') return undefined
  return described.path.includes('{session}') ? ofSession(call) : ofKnowledge(call)
}

function ofSession(call: Call): Replay {
  return byVersion(async () => (await sessionOf(call).stats()).version)
}

function ofKnowledge(call: Call): Replay {
  return byVersion(() => call.scope.knowledgeVersion())
}
