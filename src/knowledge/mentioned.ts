import type { Entity } from '../domain/entity.ts'
import type { Fact } from '../domain/fact.ts'
import { askInParallel } from './ask.ts'
import { entitiesByKey } from './entities.ts'
import { showFacts } from './fact-from-row.ts'
import type { FactOptions } from '../api/facts.ts'
import { nameKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { resolveNames } from './names.ts'
import { neighbours } from './neighbours.ts'
import { withViewpoint } from './with-viewpoint.ts'

export interface EntityMention {
  /** As it was given. */
  readonly phrase: string
  readonly entity: Entity
}

export interface Mentions {
  readonly mentions: readonly EntityMention[]
  /** One relation away from any of them, true and not quarantined. */
  readonly facts: readonly Fact[]
}

/** Entities that words or phrases name, by name or alias, and the facts next to them. */
export function mentionedEntities(
  knowledge: Knowledge,
  scope: string,
  phrases: readonly string[],
  options: FactOptions & { readonly limit: number },
): Promise<Mentions> {
  return knowledge.store.read(scope, function* read() {
    const keys = new Map(phrases.map((phrase) => [phrase, nameKey(phrase)]))
    const {
      view,
      space,
      found: meaning,
    } = yield* withViewpoint(knowledge, scope, options, (among) => resolveNames(among, [...new Set(keys.values())]))
    const meant = [...keys].flatMap(([phrase, key]) => {
      const entity = meaning.get(key)
      return entity === undefined ? [] : [{ phrase, entity }]
    })
    const [entities, near] = yield* askInParallel([
      askInParallel(meant.map(({ entity }) => entitiesByKey(space, [entity]))),
      neighbours(space, view, [...new Set(meaning.values())], options.limit),
    ])
    return {
      mentions: meant.flatMap(({ phrase }, index) => entities[index]?.map((entity) => ({ phrase, entity })) ?? []),
      facts: yield* showFacts(
        near.facts.map(({ fact }) => fact),
        view.at,
        view.version,
      ),
    }
  })
}
