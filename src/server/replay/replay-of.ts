import type { OperationName } from '../../wire/operations.ts'
import { sessionOf } from '../arguments.ts'
import type { Call } from '../route.ts'
import { type Replay, byVersion, harmless } from './replay.ts'
import { replayFork } from './replay-fork.ts'
import { replayRemember } from './replay-remember.ts'
import { replayRevise } from './replay-revise.ts'

/** By operation. For one that is not here nothing can be told, so it is not repeated. */
const guards: Partial<Readonly<Record<OperationName, (call: Call) => Replay>>> = {
  'messages.revise': replayRevise,
  'messages.remove': () => harmless,
  'sessions.clear': ofSession,
  'sessions.fork': replayFork,
  'sessions.usage': () => harmless,
  'contexts.compact': ofSession,
  'contexts.undo': ofSession,
  'facts.remember': replayRemember,
  'facts.retract': ofKnowledge,
  'facts.restore': ofKnowledge,
  'facts.endorse': ofKnowledge,
  'facts.rollBack': ofKnowledge,
  'facts.forget': ofKnowledge,
  'graph.predicate': () => harmless,
  'proposals.apply': ofKnowledge,
  'proposals.revert': ofKnowledge,
  'jobs.retry': () => harmless,
  'jobs.cancel': () => harmless,
  'memory.verify': () => harmless,
  'memory.rebuild': () => harmless,
  'keys.revoke': () => harmless,
}

export function replayOf(operation: OperationName, call: Call): Replay | undefined {
  return guards[operation]?.(call)
}

function ofSession(call: Call): Replay {
  return byVersion(async () => (await sessionOf(call).stats()).version)
}

function ofKnowledge(call: Call): Replay {
  return byVersion(() => call.scope.knowledgeVersion())
}
