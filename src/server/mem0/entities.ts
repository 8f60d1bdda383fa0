import { factStates } from '../../domain/fact.ts'
import type { JSONObject } from '../../domain/json.ts'
import { refuse } from '../../domain/refuse.ts'
import { allRemembered } from './all-remembered.ts'
import type { Mem0Call } from './mem0-call.ts'
import { isMemory } from './memory-json.ts'
import { type OwnerKind, ownerFrom, ownerKinds, ownerOfScope, scopeFor, scopeOf } from './owner.ts'
import { ownFacts } from './own-facts.ts'
import { sessionIds } from './session-ids.ts'

const PAGE_DEFAULT = 100
const PAGE_MAX = 200
const REASON = 'asked by a Mem0 client'

/** The users, agents, apps and runs that have memories of their own. */
export async function listEntities({ memory, base, query }: Mem0Call): Promise<JSONObject> {
  const page = Math.max(1, Number(query['page'] ?? 1) || 1)
  const size = Math.min(PAGE_MAX, Math.max(1, Number(query['page_size'] ?? PAGE_DEFAULT) || PAGE_DEFAULT))
  const { scopes } = await memory.scopes({ under: base, limit: 1_000 })
  const owners = scopes.flatMap(({ scope, updatedAt }) => {
    const owner = ownerOfScope(base, scope)
    return owner === undefined ? [] : [{ ...owner, updatedAt }]
  })
  const from = (page - 1) * size
  const shown = owners.slice(from, from + size)
  const results: JSONObject[] = []
  for (const { kind, name, updatedAt } of shown) {
    const total = (await allRemembered(memory.scope(scopeFor(base, kind, name)))).length
    const named = { id: name, name, type: kind, owner: base }
    results.push({ ...named, total_memories: total, created_at: null, updated_at: updatedAt })
  }
  return {
    count: owners.length,
    next: from + size < owners.length ? `?page=${page + 1}&page_size=${size}` : null,
    previous: page > 1 ? `?page=${page - 1}&page_size=${size}` : null,
    results,
  }
}

/** Destroys everything that an owner has: messages, facts learned from them, the index. */
export async function deleteEntity(call: Mem0Call): Promise<JSONObject> {
  const { type, name = '' } = call.names
  const kind = ownerKinds.find((one) => one === type)
  if (kind === undefined) return refuse('delete an entity', 'type', type, ownerKinds.join(', '))
  await destroy(call, scopeFor(call.base, kind satisfies OwnerKind, name))
  return { message: 'Entity deleted successfully!' }
}

/** Destroys what belongs to the owners of the query. */
export async function deleteMemories(call: Mem0Call): Promise<JSONObject> {
  const owner = ownerFrom(call.query)
  if (Object.keys(owner).length === 1) await destroy(call, scopeOf(call.base, owner))
  // Several owners name what they have in common, so each message is looked at.
  else await destroyMatching(call, scopeOf(call.base, owner), owner as JSONObject)
  return { message: 'Memories deleted successfully!' }
}

async function destroy({ memory }: Mem0Call, scope: string): Promise<void> {
  const owner = memory.scope(scope)
  for (const session of await sessionIds(owner)) await owner.forget({ session }, { reason: REASON })
  // Also those that were updated or deleted before, which were only taken back.
  for (const { id } of await ownFacts(owner, { state: factStates }))
    await owner.forget({ fact: id }, { reason: REASON })
}

async function destroyMatching({ memory }: Mem0Call, scope: string, wanted: JSONObject): Promise<void> {
  const owner = memory.scope(scope)
  for (const session of await sessionIds(owner))
    for (const message of await owner.session(session).history({ where: { mem0: { owner: wanted } } }))
      if (isMemory(message)) await owner.forget({ message: message.id, session }, { reason: REASON })
}
