import { defined } from '../domain/defined.ts'
import type { Asking, FactFilter } from '../ports/knowledge-store.ts'
import { ask, askInParallel } from './ask.ts'
import { declaredSingle } from './declared-single.ts'
import { type KnownFact, holdsAt, readFact } from './known-fact.ts'
import type { Viewpoint } from './moment.ts'
import { type NameSpace, keysOfEntity } from './names.ts'
import { isSingleByNature } from './single-valued.ts'

/** In each scope one value is current: more rows than this are not of one predicate that holds one value. */
const VALUES_MAX = 100

/**
 * Of facts that are true in different scopes of one chain, leaves out those of single-valued predicates that another
 * prevails over: the more trusted, then the nearest scope's, then the newest.
 */
export function* prevailing(
  space: NameSpace,
  view: Viewpoint,
  facts: readonly KnownFact[],
): Asking<readonly KnownFact[]> {
  if (space.scopes.length === 1 || facts.length === 0) return facts
  const declared = yield* declaredSingle(space.scopes)
  const contested = new Map<string, KnownFact>()
  for (const fact of facts) {
    const slot = slotOf(fact)
    const isSingle = declared.get(fact.predicate) ?? isSingleByNature(fact.predicate)
    if (isSingle && fact.body.alongside !== true && !contested.has(slot)) contested.set(slot, fact)
  }
  const best = yield* askInParallel([...contested.values()].map((fact) => winner(space, view, fact)))
  const winners = new Map([...contested.keys()].map((slot, index) => [slot, best[index]]))
  return facts.filter((fact) => {
    const winning = winners.get(slotOf(fact))
    return winning === undefined || winning === fact.objectKey || fact.body.alongside === true
  })
}

function slotOf({ subject, predicate }: KnownFact): string {
  return JSON.stringify([subject, predicate])
}

/** The object of the value that prevails. */
function* winner(space: NameSpace, view: Viewpoint, fact: KnownFact): Asking<string | undefined> {
  const { scopes, version } = space
  const subjects = fact.subject === '' ? [''] : yield* keysOfEntity(space, fact.subject)
  const where: FactFilter = { standing: ['held', 'held'], trust: [1, 3], valid: [view.at, view.at] }
  const rows = yield* ask({
    of: 'facts',
    scopes,
    by: { subjects, predicate: fact.predicate },
    where,
    limit: VALUES_MAX,
    ...defined({ version }),
  })
  const [best] = rows
    .map(readFact)
    .filter((other) => other.body.alongside !== true && holdsAt(other, view.at))
    .toSorted((a, b) => b.trust - a.trust || scopes.indexOf(a.scope) - scopes.indexOf(b.scope) || b.applied - a.applied)
  return best?.objectKey
}
