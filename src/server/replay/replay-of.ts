import { sessionOf } from '../arguments.ts'
import type { Operation } from '../../surface/operation.ts'
import type { Call } from '../route.ts'
import { type Replay, byVersion, harmless } from '../../access/replay.ts'
import { replayFork } from './replay-fork.ts'
import { replayRemember } from './replay-remember.ts'
import { replayRevise } from './replay-revise.ts'

/** Operations that need more than their description says. */
const guards: Readonly<Record<string, (call: Call) => Replay>> = {
  'messages.revise': replayRevise,
  'sessions.fork': replayFork,
  'facts.remember': replayRemember,
}

export function replayOf({ name, repeat, path }: Operation, call: Call): Replay | undefined {
  const guard = guards[name]
  if (guard !== undefined) return guard(call)
  if (repeat === 'harmless') return harmless
  if (repeat !== 'by-version') return undefined
  return path.includes('{session}') ? ofSession(call) : ofKnowledge(call)
}

function ofSession(call: Call): Replay {
  return byVersion(async () => (await sessionOf(call).stats()).version)
}

function ofKnowledge(call: Call): Replay {
  return byVersion(() => call.scope.knowledgeVersion())
}
