import type { Entity } from '../domain/entity.ts'
import type { EntityRow } from '../ports/knowledge-store.ts'

export interface EntityBody {
  readonly name: string
  readonly type: string | null
  readonly aliases: readonly string[]
  /** It lives on under another key, or it was made by something that was reverted. */
  readonly gone?: true
}

/** A version of an entity, its body read. */
export interface KnownEntity extends Omit<EntityRow, 'body'> {
  readonly body: EntityBody
}

export function readEntity(row: EntityRow): KnownEntity {
  return { ...row, body: JSON.parse(row.body) as EntityBody }
}

export function showEntity({ scope, revision, body }: KnownEntity): Entity {
  const { name, type, aliases } = body
  return { name, type, aliases, scope, revision }
}
