import type { Scope } from '../../api/scope.ts'
import { defined } from '../../domain/defined.ts'
import { isMemory } from './memory-json.ts'
import { type Remembered, isStoredFact } from './remembered.ts'
import { sessionIds } from './session-ids.ts'

const FACTS_PER_PAGE = 1_000

/** All memories of a scope, newest first. */
export async function allRemembered(scope: Scope): Promise<readonly Remembered[]> {
  const found: Remembered[] = []
  for (const session of await sessionIds(scope))
    for (const message of await scope.session(session).history())
      if (isMemory(message)) found.push({ kind: 'said', session, message })
  for (let after: string | undefined; ;) {
    const page = await scope.facts({ limit: FACTS_PER_PAGE, ...defined({ after }) })
    for (const fact of page) if (isStoredFact(scope, fact)) found.push({ kind: 'fact', fact })
    after = page.at(-1)?.id
    if (page.length < FACTS_PER_PAGE) break
  }
  return found.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0))
}

function timeOf(memory: Remembered): string {
  return memory.kind === 'fact' ? memory.fact.learnedAt : memory.message.at
}
