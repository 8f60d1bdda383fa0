import type { GraphOptions, Graph } from '../api/graph.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { entitiesByKey } from './entities.ts'
import { showFacts } from './fact-from-row.ts'
import { spaceOf } from './facts.ts'
import { nameKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownFact } from './known-fact.ts'
import { viewpoint } from './moment.ts'
import { resolveNames } from './names.ts'
import { neighbours, othersOf } from './neighbours.ts'

const FACTS_MAX = 200

/** What is known around some entities. A name that means nothing has nothing around it. */
export function graph(knowledge: Knowledge, scope: string, options: GraphOptions): Promise<Graph> {
  const { around, depth = 1, limit = FACTS_MAX } = options
  return knowledge.store.read(scope, function* read() {
    const view = yield* viewpoint(knowledge, scope, options)
    const space = spaceOf(scopeChain(scope), view)
    const names = (typeof around === 'string' ? [around] : around).map(nameKey)
    let frontier: readonly string[] = [...new Set((yield* resolveNames(space, names)).values())]
    const seen = new Set(frontier)
    const found = new Map<string, KnownFact>()
    let truncated = false
    for (let step = 0; step < depth && frontier.length > 0 && !truncated; step++) {
      const near = yield* neighbours(space, view, frontier, limit)
      const fresh = near.facts.filter(({ fact }) => !found.has(fact.id))
      const room = fresh.slice(0, limit - found.size)
      truncated = near.truncated || room.length < fresh.length
      for (const { fact } of room) found.set(fact.id, fact)
      frontier = othersOf(room, seen)
      for (const key of frontier) seen.add(key)
    }
    return {
      entities: yield* entitiesByKey(space, [...seen]),
      facts: yield* showFacts(space.scopes, [...found.values()], view),
      truncated,
    }
  })
}
