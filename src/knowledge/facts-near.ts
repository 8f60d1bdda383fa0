import type { Fact } from '../domain/fact.ts'
import { factsWithSources } from './fact-from-row.ts'
import type { FactOptions } from '../api/facts.ts'
import { nameKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { resolveNames } from './names.ts'
import { neighbours } from './neighbours.ts'
import { withViewpoint } from './with-viewpoint.ts'

/**
 * The facts one relation away from whatever the words or phrases name, by name or alias: true and not quarantined. Their revisions
 * are versions of the root.
 */
export function factsNear(
  knowledge: Knowledge,
  scope: string,
  phrases: readonly string[],
  options: FactOptions & { readonly limit: number },
): Promise<readonly Fact[]> {
  return knowledge.store.read(scope, function* read() {
    const keys = [...new Set(phrases.map(nameKey))]
    const { view, space, found } = yield* withViewpoint(knowledge, scope, options, (among) => resolveNames(among, keys))
    const near = yield* neighbours(space, view, [...new Set(found.values())], options.limit)
    return yield* factsWithSources(
      near.facts.map(({ fact }) => fact),
      view.at,
      view.version,
    )
  })
}
