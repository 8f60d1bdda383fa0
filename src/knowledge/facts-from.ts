import type { FactOrigin } from '../api/facts.ts'
import { parseSource } from '../domain/new-fact.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { messageReference } from './evidence.ts'

/** Ids of the facts of some scopes that were learned from something. */
export function* factsFrom(scopes: readonly string[], origin: FactOrigin): Asking<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const source of yield* sourcesOf(scopes, origin))
    for (const scope of scopes) for (const { fact } of yield* ask({ of: 'taught', scope, source })) ids.add(fact)
  return ids
}

/** What rows call it. One that ends with a comma is the beginning of several. */
function* sourcesOf(scopes: readonly string[], origin: FactOrigin): Asking<readonly string[]> {
  if (typeof origin === 'object' && 'channel' in origin) return [`t:${origin.channel}`]
  if (typeof origin === 'object' && 'session' in origin && !('message' in origin))
    return [`m:${JSON.stringify([origin.session]).slice(0, -1)},`]
  const source = parseSource('read facts', 'source', origin)
  if (source.type === 'fact') return [`f:${source.id}`]
  if (source.session !== undefined) return [messageReference(source.session, source.id)]
  const found = yield* ask({ of: 'messages', scopes, id: source.id })
  return [...new Set(found.map(({ session }) => messageReference(session, source.id)))]
}
