import type { Scope } from '../../api/scope.ts'
import { isMemory } from './memory-json.ts'
import { ownFacts } from './own-facts.ts'
import { type Remembered, isStoredFact } from './remembered.ts'
import { sessionIds } from './session-ids.ts'

/** All memories of a scope, newest first. */
export async function allRemembered(scope: Scope): Promise<readonly Remembered[]> {
  const found: Remembered[] = []
  for (const session of await sessionIds(scope))
    for (const message of await scope.session(session).history())
      if (isMemory(message)) found.push({ kind: 'said', session, message })
  for (const fact of await ownFacts(scope)) if (isStoredFact(scope, fact)) found.push({ kind: 'fact', fact })
  return found.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0))
}

function timeOf(memory: Remembered): string {
  return memory.kind === 'fact' ? memory.fact.learnedAt : memory.message.at
}
