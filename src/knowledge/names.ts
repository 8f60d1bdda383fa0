import { defined } from '../domain/defined.ts'
import type { Asking, NameRow } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'

/** A scope may call an ancestor's alias by another name: a few steps, and never in a circle. */
const STEPS_MAX = 4

/** Where names are looked up: own scope first, then its ancestors, nearest first. */
export interface NameSpace {
  readonly scopes: readonly string[]
  readonly version?: number
  /** Names of the own scope that are being changed. */
  readonly pending?: ReadonlyMap<string, string | null>
}

/** The entities that names mean, the nearest scope's meaning first. A name that means nothing is missing. */
export function* resolveNames(space: NameSpace, names: readonly string[]): Asking<ReadonlyMap<string, string>> {
  const meaning = new Map<string, string>()
  let open = new Map(names.map((name) => [name, name]))
  for (let step = 0; step < STEPS_MAX && open.size > 0; step++) {
    const nearest = yield* meanings(space, [...new Set(open.values())])
    const next = new Map<string, string>()
    for (const [name, current] of open) {
      const entity = nearest.get(current)
      if (entity === undefined) continue
      meaning.set(name, entity)
      if (entity !== current) next.set(name, entity)
    }
    open = next
  }
  return meaning
}

function* meanings(space: NameSpace, names: readonly string[]): Asking<ReadonlyMap<string, string>> {
  const { scopes, version, pending } = space
  const rows = yield* ask({ of: 'names', scopes, names, ...defined({ version }) })
  const nearest = new Map<string, string>()
  for (const row of rows.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope))) {
    const changed = row.scope === scopes[0] && pending?.has(row.name) === true
    if (!changed && !nearest.has(row.name)) nearest.set(row.name, row.entity)
  }
  for (const name of names) {
    const entity = pending?.get(name)
    if (entity !== undefined && entity !== null) nearest.set(name, entity)
  }
  return nearest
}

/** All keys under which facts about an entity may be kept: its own, and those of names that mean it. */
export function* keysOfEntity(space: NameSpace, entity: string): Asking<readonly string[]> {
  const keys = new Set([entity])
  let fresh: readonly string[] = [entity]
  for (let step = 0; step < STEPS_MAX && fresh.length > 0; step++) {
    const { scopes, version, pending } = space
    const rows: readonly Pick<NameRow, 'name'>[] = yield* ask({
      of: 'namesOf',
      scopes,
      entities: fresh,
      ...defined({ version }),
    })
    const names = new Set(rows.map(({ name }) => name))
    // A change of a thousand facts has thousands of them, and comes here for each: they are not copied.
    for (const [name, to] of pending ?? []) if (to !== null && fresh.includes(to)) names.add(name)
    const found = [...names].filter((name) => !keys.has(name))
    if (found.length === 0) break
    const meaning = yield* resolveNames(space, found)
    fresh = found.filter((name) => meaning.get(name) === entity)
    for (const name of fresh) keys.add(name)
  }
  return [...keys]
}
