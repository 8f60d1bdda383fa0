import { MemoryError } from '../domain/error.ts'
import type { EntityInput } from '../domain/new-fact.ts'
import { quote } from '../domain/refuse.ts'
import type { Trust } from '../domain/trust.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { type KnowledgeEdit, entityOf, nameSpace, putEntity } from './knowledge-edit.ts'
import { nameKey } from './keys.ts'
import type { EntityBody } from './known-entity.ts'
import { resolveNames } from './names.ts'

export interface ResolvedEntity {
  readonly key: string
  /** As the scope calls it. */
  readonly name: string
  readonly type: string | null
}

/** The entity that a name means, made if there is none. What is not trusted may name entities, but not describe them. */
export function* resolveEntity(draft: KnowledgeEdit, given: EntityInput, trust: Trust): Asking<ResolvedEntity> {
  const name = nameKey(given.name)
  const key = (yield* resolveNames(nameSpace(draft), [name])).get(name) ?? name
  const known = yield* entityOf(draft, key)
  const before: EntityBody = known === undefined || known.body.gone ? blank(given.name) : known.body
  const type = (trust > 0 ? given.type : undefined) ?? before.type
  const aliases = trust > 0 ? yield* newAliases(draft, key, given.aliases ?? []) : []
  const fresh = before.aliases.concat(aliases.filter((alias) => !before.aliases.includes(alias)))
  if (known === undefined || known.body.gone || type !== before.type || fresh.length !== before.aliases.length) {
    putEntity(draft, key, { name: before.name, type, aliases: fresh })
    draft.names.set(key, key)
  }
  return { key, name: before.name, type }
}

function blank(name: string): EntityBody {
  return { name: name.trim(), type: null, aliases: [] }
}

function* newAliases(draft: KnowledgeEdit, key: string, aliases: readonly string[]): Asking<readonly string[]> {
  const added: string[] = []
  for (const alias of aliases) {
    const name = nameKey(alias)
    if (name === key) continue
    const meant = (yield* resolveNames(nameSpace(draft), [name])).get(name)
    if (meant === key) continue
    if (meant !== undefined)
      throw new MemoryError(
        'knowledge/conflict',
        `Cannot call an entity ${quote(alias)}: this name belongs to another entity. Propose to merge the two instead`,
        { alias },
      )
    draft.names.set(name, key)
    added.push(alias.trim())
  }
  return added
}
