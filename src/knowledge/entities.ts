import { defined } from '../domain/defined.ts'
import type { EntitiesOptions } from '../api/graph.ts'
import type { Entity } from '../domain/entity.ts'
import { scopeChain } from '../domain/scope-path.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import type { FactOptions } from '../api/facts.ts'
import { countRevisions } from './count-revisions.ts'
import { spaceOf } from './facts.ts'
import { nameKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownEntity, readEntity, showEntity } from './known-entity.ts'
import { viewpoint } from './moment.ts'
import { type NameSpace, resolveNames } from './names.ts'

const ENTITIES_PER_PAGE = 100

/** Entities of a scope and its ancestors in the order of their names; the nearest scope's word on each. */
export function entities(knowledge: Knowledge, scope: string, options: EntitiesOptions): Promise<readonly Entity[]> {
  const { limit = ENTITIES_PER_PAGE, type } = options
  return knowledge.store.read(scope, function* read() {
    const view = yield* viewpoint(knowledge, scope, options)
    const space = spaceOf(scopeChain(scope), view)
    const found: Entity[] = []
    let after = options.after === undefined ? '' : nameKey(options.after)
    for (;;) {
      const rows = yield* ask({ of: 'entityPage', ...space, after, limit })
      const keys = [...new Set(rows.map(({ key }) => key))]
      // The last key of a full page may go on in the next.
      const whole = rows.length < limit || keys.length === 1 ? keys : keys.slice(0, -1)
      for (const entity of yield* entitiesByKey(space, whole)) {
        if (type !== undefined && entity.type !== type) continue
        found.push(entity)
        if (found.length === limit) return found
      }
      if (rows.length < limit) return found
      after = whole.at(-1) ?? after
    }
  })
}

/** One entity by a name or an alias. */
export function entityByName(
  knowledge: Knowledge,
  scope: string,
  name: string,
  options: Pick<FactOptions, 'asOf'>,
): Promise<Entity | undefined> {
  return knowledge.store.read(scope, function* read() {
    const space = spaceOf(scopeChain(scope), yield* viewpoint(knowledge, scope, options))
    const key = nameKey(name)
    const meant = (yield* resolveNames(space, [key])).get(key)
    return meant === undefined ? undefined : (yield* entitiesByKey(space, [meant]))[0]
  })
}

/** Entities by their keys, those that still stand under them, in the order given. */
export function* entitiesByKey(space: NameSpace, keys: readonly string[]): Asking<readonly Entity[]> {
  const { scopes, version } = space
  const rows = yield* ask({ of: 'entities', scopes, keys, ...defined({ version }) })
  const nearest = new Map<string, KnownEntity>()
  for (const row of rows.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope)))
    if (!nearest.has(row.key)) nearest.set(row.key, readEntity(row))
  const found = keys.flatMap((key) => nearest.get(key) ?? []).filter(({ body }) => body.gone !== true)
  return yield* countRevisions(scopes, found.map(showEntity))
}
