import type { Entity } from '../domain/entity.ts'
import type { Fact } from '../domain/fact.ts'
import { scopeChain } from '../domain/scope-path.ts'
import { entitiesByKey } from './entities.ts'
import { showFacts } from './fact-from-row.ts'
import { type Then, spaceOf } from './facts.ts'
import { nameKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { viewpoint } from './moment.ts'
import { resolveNames } from './names.ts'
import { neighbours } from './neighbours.ts'

export interface Mention {
  /** As it was given. */
  readonly phrase: string
  readonly entity: Entity
}

export interface Mentions {
  readonly mentions: readonly Mention[]
  /** One relation away from any of them, true and not quarantined. */
  readonly facts: readonly Fact[]
}

/** Entities that words or phrases name, by name or alias, and the facts next to them. */
export function mentionedEntities(
  knowledge: Knowledge,
  scope: string,
  phrases: readonly string[],
  options: Then & { readonly limit: number },
): Promise<Mentions> {
  return knowledge.store.read(scope, function* read() {
    const view = yield* viewpoint(knowledge, scope, options)
    const space = spaceOf(scopeChain(scope), view)
    const keys = new Map(phrases.map((phrase) => [phrase, nameKey(phrase)]))
    const meaning = yield* resolveNames(space, [...new Set(keys.values())])
    const mentions: Mention[] = []
    for (const [phrase, key] of keys) {
      const meant = meaning.get(key)
      const [entity] = meant === undefined ? [] : yield* entitiesByKey(space, [meant])
      if (entity !== undefined) mentions.push({ phrase, entity })
    }
    const near = yield* neighbours(space, view, [...new Set(meaning.values())], options.limit)
    return {
      mentions,
      facts: yield* showFacts(
        near.facts.map(({ fact }) => fact),
        view.at,
        view.version,
      ),
    }
  })
}
