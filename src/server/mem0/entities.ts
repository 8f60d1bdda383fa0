import type { Scope } from '../../api/scope.ts'
import type { JSONObject } from '../../domain/json.ts'
import { refuse } from '../../domain/refuse.ts'
import { allRemembered } from './all-remembered.ts'
import type { Mem0Call } from './mem0-call.ts'
import { type Owner, type OwnerKind, ownerFrom, ownerKinds, ownerOfScope, scopeFor, scopeOf } from './owner.ts'
import { ownerScopes } from './owner-scopes.ts'
import { sessionIds } from './session-ids.ts'

const PAGE_DEFAULT = 100
const PAGE_MAX = 200
const REASON = 'asked by a Mem0 client'

/** The users, agents, apps and runs that have memories of their own. */
export async function listEntities({ memory, base, query }: Mem0Call): Promise<JSONObject> {
  const page = Math.max(1, Number(query['page'] ?? 1) || 1)
  const size = Math.min(PAGE_MAX, Math.max(1, Number(query['page_size'] ?? PAGE_DEFAULT) || PAGE_DEFAULT))
  const owners: { readonly kind: OwnerKind; readonly name: string; readonly updatedAt: string }[] = []
  for await (const { scope, updatedAt } of ownerScopes(memory, base)) {
    const owner = ownerOfScope(base, scope)
    if (owner !== undefined) owners.push({ ...owner, updatedAt })
  }
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

/** Destroys everything that an owner has, and the memories that name it beside another owner. */
export async function deleteEntity(call: Mem0Call): Promise<JSONObject> {
  const { type, name = '' } = call.names
  const kind = ownerKinds.find((one) => one === type)
  if (kind === undefined) return refuse('delete an entity', 'type', type, ownerKinds.join(', '))
  await destroy(call, { [`${kind}_id`]: name })
  return { message: 'Entity deleted successfully!' }
}

/** Destroys what belongs to the owners of the query: with several, what they have in common. */
export async function deleteMemories(call: Mem0Call): Promise<JSONObject> {
  await destroy(call, ownerFrom(call.query))
  return { message: 'Memories deleted successfully!' }
}

async function destroy({ memory, base }: Mem0Call, owner: Owner): Promise<void> {
  const own = scopeOf(base, owner)
  if (Object.keys(owner).length === 1) await memory.scope(own).forget({ everything: true }, { reason: REASON })
  else await destroyMatching(memory.scope(own), owner)
  // All that names a user is in the scope of that user. What names an agent, an app or a run may be in the scope of another owner.
  if (owner.user_id !== undefined) return
  const others: string[] = []
  for await (const { scope } of ownerScopes(memory, base)) if (scope !== own) others.push(scope)
  for (const scope of others) await destroyMatching(memory.scope(scope), owner)
}

/** Destroys every message with these owners: also replies, which are not listed, and memories that were deleted before. */
async function destroyMatching(scope: Scope, owner: Owner): Promise<void> {
  const where = { mem0: { owner: owner as JSONObject } }
  for (const session of await sessionIds(scope))
    for (const { id } of await scope.session(session).history({ where }))
      await scope.forget({ message: id, session }, { reason: REASON })
}
