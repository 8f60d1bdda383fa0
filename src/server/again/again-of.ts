import type { OperationName } from '../../wire/operations.ts'
import { sessionOf } from '../arguments.ts'
import type { Call } from '../route.ts'
import { type Again, byVersion, harmless } from './again.ts'
import { forkedAgain } from './forked-again.ts'
import { rememberedAgain } from './remembered-again.ts'
import { revisedAgain } from './revised-again.ts'

/** By operation. For one that is not here nothing can be told, so it is not repeated. */
const guards: Partial<Readonly<Record<OperationName, (call: Call) => Again>>> = {
  'messages.revise': revisedAgain,
  'messages.remove': () => harmless,
  'sessions.clear': ofSession,
  'sessions.fork': forkedAgain,
  'sessions.usage': () => harmless,
  'contexts.compact': ofSession,
  'contexts.undo': ofSession,
  'facts.remember': rememberedAgain,
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

export function againOf(operation: OperationName, call: Call): Again | undefined {
  return guards[operation]?.(call)
}

function ofSession(call: Call): Again {
  return byVersion(async () => (await sessionOf(call).stats()).version)
}

function ofKnowledge(call: Call): Again {
  return byVersion(() => call.scope.knowledgeVersion())
}
