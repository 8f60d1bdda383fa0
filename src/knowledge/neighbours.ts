import { defined } from '../domain/defined.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { ask, askInParallel } from './ask.ts'
import { type KnownFact, holdsAt, readFact } from './known-fact.ts'
import type { Viewpoint } from './moment.ts'
import { type NameSpace, keysOfEntity, resolveNames } from './names.ts'
import { prevailing } from './prevailing.ts'

/** Facts around some entities, with the entities at both ends by the names that the scope gives them. */
export interface Neighbourhood {
  readonly facts: readonly Edge[]
  /** There are more facts than were read. */
  readonly truncated: boolean
}

export interface Edge {
  readonly fact: KnownFact
  readonly subject: string
  readonly object: string | null
}

/** Facts that are true, not quarantined, and about these entities or pointing at them, at most `limit` each way. */
export function* neighbours(
  space: NameSpace,
  view: Viewpoint,
  entities: readonly string[],
  limit: number,
): Asking<Neighbourhood> {
  const keys = (yield* askInParallel(entities.map((entity) => keysOfEntity(space, entity)))).flat()
  const query = {
    of: 'facts',
    scopes: space.scopes,
    where: { standing: ['held', 'held'], trust: [1, 3], valid: [view.at, view.at] },
    limit: limit + 1,
    ...defined({ version: space.version }),
  } as const
  const [out, back] = yield* askInParallel([
    ask({ ...query, by: { subjects: keys } }),
    ask({ ...query, by: { entities: keys } }),
  ])
  const rows = new Map([...out.slice(0, limit), ...back.slice(0, limit)].map((row) => [row.id, row]))
  const held = [...rows.values()].map(readFact).filter((fact) => holdsAt(fact, view.at))
  const facts = yield* prevailing(space, view, held)
  const ends = facts.flatMap(({ subject, objectEntity }) => [subject, objectEntity ?? ''])
  const names = yield* resolveNames(
    space,
    [...new Set(ends)].filter((key) => key !== ''),
  )
  const meant = (key: string): string => names.get(key) ?? key
  return {
    facts: facts.map((fact) => ({
      fact,
      subject: meant(fact.subject),
      object: fact.objectEntity === null ? null : meant(fact.objectEntity),
    })),
    truncated: out.length > limit || back.length > limit,
  }
}

/** The other ends of relations, seen from some entities. */
export function othersOf(edges: readonly Edge[], seen: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>()
  for (const { subject, object } of edges) {
    if (object === null) continue
    if (!seen.has(subject)) found.add(subject)
    if (!seen.has(object)) found.add(object)
  }
  return [...found]
}
