import type { LearnedFact } from '../ports/erasure-store.ts'
import type { Asking, KnowledgeDecision } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { type KnowledgeEdit, editBelow, factOf, factSources, openEdit, writeOf } from './knowledge-edit.ts'
import type { FactsToForget } from './forget.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownFact } from './known-fact.ts'
import { takeBackRows } from './roll-back.ts'
import { forgetNames } from './users-name.ts'

/** Facts that were destroyed, in rows. */
export interface ForgottenFacts {
  readonly facts: readonly { readonly scope: string; readonly id: string }[]
  readonly versions: number
  readonly sources: number
  readonly proposals: number
}

export interface LearnedSource {
  /** As facts name them. */
  readonly sources: readonly string[]
  /** All that the sources ever taught, also through other facts, and what is no longer known. */
  readonly taught: readonly Pick<LearnedFact, 'scope' | 'id'>[]
  /** Only say what would go. */
  readonly dryRun: boolean
}

/**
 * Destroys what was learned only from some sources, here and deeper: a fact that something else says too stays, with what it
 * is trusted for without them.
 */
export function forgetLearned(
  knowledge: Knowledge,
  scope: string,
  { sources, taught, dryRun }: LearnedSource,
): Promise<ForgottenFacts> {
  return knowledge.store.change(scope, function* decide(): Asking<KnowledgeDecision<ForgottenFacts>> {
    const draft = yield* openEdit(knowledge, scope)
    yield* takeBackRows(draft, sources)
    const byScope = Map.groupBy(taught, (fact) => fact.scope)
    const gone: { readonly scope: string; readonly id: string }[] = []
    const weights = { versions: 0, sources: 0, proposals: 0 }
    const forgetIn = new Map<string, FactsToForget>()
    for (const [owner, facts] of [...byScope].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const own = owner === scope ? draft : yield* editBelow(draft, owner)
      const ids = yield* sourceless(own, [...new Set(facts.map(({ id }) => id))])
      if (ids.length === 0) continue
      const entities = yield* forgetNames(own, yield* currentFacts(own, ids))
      const weight = yield* ask({ of: 'weight', scope: owner, facts: ids, entities })
      weights.versions += weight.versions
      weights.sources += weight.sources
      weights.proposals += weight.proposals
      for (const id of ids) {
        gone.push({ scope: owner, id })
        own.facts.delete(id)
      }
      const toDestroy = new Set(ids)
      own.sources.splice(0, Infinity, ...own.sources.filter(({ fact }) => !toDestroy.has(fact)))
      forgetIn.set(owner, { facts: ids, entities })
    }
    const answer = { facts: gone, ...weights }
    if (taught.length === 0 || dryRun) return { answer }
    const writeIn = (one: KnowledgeEdit): ReturnType<typeof writeOf> => writeOf(one, forgetIn.get(one.scope))
    return { answer, write: writeIn(draft), below: draft.below.map(writeIn) }
  })
}

/** Facts as they are now. */
function* currentFacts(draft: KnowledgeEdit, ids: readonly string[]): Asking<readonly KnownFact[]> {
  const found: KnownFact[] = []
  for (const id of ids) {
    const fact = yield* factOf(draft, id)
    if (fact !== undefined) found.push(fact)
  }
  return found
}

/** Those that nothing says any more. */
function* sourceless(draft: KnowledgeEdit, ids: readonly string[]): Asking<readonly string[]> {
  const found: string[] = []
  for (const id of ids) if ((yield* factSources(draft, id, 1)).count === 0) found.push(id)
  return found
}
