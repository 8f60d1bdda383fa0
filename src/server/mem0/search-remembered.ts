import type { RecallSource } from '../../api/recall.ts'
import type { Scope } from '../../api/scope.ts'
import { type Remembered, isStoredFact, saidAt } from './remembered.ts'

/** Memories of a scope that bear on a question, best first. */
export async function searchRemembered(
  scope: Scope,
  query: string,
  limit: number,
): Promise<readonly { readonly memory: Remembered; readonly relevance: number }[]> {
  const { items } = await scope.recall(query, { limit, kinds: ['message', 'fact'], fresh: true })
  const found = new Map<string, { readonly memory: Remembered; readonly relevance: number }>()
  for (const { source, copies = [], relevance } of items)
    for (const one of [source, ...copies])
      for (const memory of await memoriesAt(scope, one)) {
        const key = memory.kind === 'fact' ? memory.fact.id : memory.message.id
        if (!found.has(key)) found.set(key, { memory, relevance })
      }
  return [...found.values()]
}

/** The memories behind what recall found: of a fact that was learned, the messages that it was learned from. */
async function memoriesAt(scope: Scope, { session, id }: RecallSource): Promise<readonly Remembered[]> {
  if (session !== null) return [await saidAt(scope, { session, id })].filter((one) => one !== undefined)
  const fact = await scope.fact(id)
  if (fact === undefined || fact.scope !== scope.name) return []
  if (isStoredFact(scope, fact)) return [{ kind: 'fact', fact }]
  const said = fact.sources.map(async (origin) => (origin.type === 'message' ? saidAt(scope, origin) : undefined))
  return (await Promise.all(said)).filter((one) => one !== undefined)
}
