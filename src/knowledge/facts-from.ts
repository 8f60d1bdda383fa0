import type { FactOrigin } from '../api/facts.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { isImportedBody } from '../log/body.ts'
import { parseSource } from '../domain/new-fact.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { messageReference } from './evidence.ts'

/** Ids of the facts of some scopes that were learned from something. */
export function* factsFrom(scopes: readonly string[], origin: FactOrigin): Asking<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const source of yield* sourcesOf(scopes, origin))
    for (const scope of scopes) for (const { fact } of yield* ask({ of: 'taught', scope, source })) ids.add(fact)
  if (typeof origin === 'object' && 'channel' in origin && origin.channel === 'import')
    for (const scope of scopes) for (const fact of yield* fromImportedMessages(scope)) ids.add(fact)
  return ids
}

/** What was learned from conversations that were imported: their messages are the source, not the import. */
function* fromImportedMessages(scope: string): Asking<readonly string[]> {
  const taught = yield* ask({ of: 'taught', scope, source: 'm:[' })
  const bySource = Map.groupBy(taught, ({ source }) => source)
  const facts: string[] = []
  for (const [source, rows] of bySource) {
    const [session, id] = JSON.parse(source.slice('m:'.length)) as [string, string]
    const found = yield* ask({ of: 'messages', scopes: scopeChain(scope), id })
    const isImported = found.some((one) => one.session === session && isImportedBody(one.body))
    if (isImported) facts.push(...rows.map(({ fact }) => fact))
  }
  return facts
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
