import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import type { Asking, KnowledgeDecision } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { type KnowledgeEdit, factOf, isSingle, nameSpace, openEdit, putFact, writeOf } from './knowledge-edit.ts'
import { keysOfName } from './facts.ts'
import { subjectsOf } from './find-fact.ts'
import type { Knowledge } from './knowledge.ts'
import type { KnownFact } from './known-fact.ts'
import { resettle } from './place-fact.ts'
import { resettleBelow } from './resettle-below.ts'
import { forgetNames } from './users-name.ts'

/** What was destroyed of what is known, in rows. */
export interface ForgottenKnowledge {
  readonly facts: number
  /** Versions of those facts, the current ones included. */
  readonly versions: number
  readonly sources: number
  readonly entities: number
  readonly proposals: number
  readonly ids: readonly string[]
}

/** One fact, or somebody or something by name; or several facts by their ids or entities by their keys, as far as they are there. */
export type KnowledgeTarget =
  | { readonly fact: string }
  | { readonly subject: string }
  | { readonly facts: readonly string[] }
  | { readonly entities: readonly string[] }

/**
 * Destroys a fact, or an entity with every fact that is or was about it or points at it: all versions, sources and
 * proposals. Only ids and the fact that something was forgotten stay. Facts of ancestors are theirs to forget.
 */
export function forgetFacts(knowledge: Knowledge, scope: string, what: KnowledgeTarget): Promise<ForgottenKnowledge> {
  return knowledge.store.change(scope, function* decide(): Asking<KnowledgeDecision<ForgottenKnowledge>> {
    const draft = yield* openEdit(knowledge, scope)
    const forget = yield* factsToForget(draft, what)
    const weight = yield* ask({ of: 'weight', scope, ...forget })
    const answer = { facts: forget.facts.length, ...weight, ids: forget.facts }
    yield* reopen(draft, forget.facts)
    const nothing = forget.facts.length === 0 && weight.entities === 0
    return nothing
      ? { answer }
      : { answer, write: writeOf(draft, forget), below: draft.below.map((deeper) => writeOf(deeper)) }
  })
}

/** What a fact had closed or stood against is settled without it. */
function* reopen(draft: KnowledgeEdit, toDestroy: readonly string[]): Asking<void> {
  const slots = new Map<string, KnownFact>()
  for (const id of toDestroy) {
    const fact = yield* factOf(draft, id)
    if (fact === undefined || fact.standing === 'retracted' || !isSingle(draft, fact.predicate)) continue
    slots.set(JSON.stringify([fact.subject, fact.predicate]), fact)
    putFact(draft, { ...fact, standing: 'retracted' })
  }
  for (const fact of slots.values()) {
    yield* resettle(draft, yield* subjectsOf(draft, fact), fact.predicate)
    yield* resettleBelow(draft, fact)
  }
  for (const id of toDestroy) draft.facts.delete(id)
}

/** Facts and entities that would go. Facts of ancestors are theirs to forget. */
export interface FactsToForget {
  readonly facts: readonly string[]
  readonly entities: readonly string[]
}

export function factsToForget(draft: KnowledgeEdit, what: KnowledgeTarget): Asking<FactsToForget> {
  if ('fact' in what) return oneFact(draft, what.fact)
  if ('facts' in what) return severalFacts(draft, what.facts)
  return 'entities' in what ? entitiesToForget(draft, what.entities) : aSubject(draft, what.subject)
}

function* oneFact(draft: KnowledgeEdit, id: string): Asking<FactsToForget> {
  const found = yield* severalFacts(draft, [id])
  if (found.facts.length > 0) return found
  throw new MemoryError(
    'knowledge/not-found',
    `Cannot forget: there is no fact ${quote(id)} in ${quote(draft.scope)}, expected the id of one of its own facts`,
    { fact: id, scope: draft.scope },
  )
}

function* severalFacts(draft: KnowledgeEdit, ids: readonly string[]): Asking<FactsToForget> {
  const facts: string[] = []
  const current: KnownFact[] = []
  for (const id of ids) {
    const versions = yield* ask({ of: 'history', scope: draft.scope, fact: id, limit: 1 })
    if (versions.length === 0) continue
    facts.push(id)
    const fact = yield* factOf(draft, id)
    if (fact !== undefined) current.push(fact)
  }
  return { facts, entities: yield* forgetNames(draft, current) }
}

function* aSubject(draft: KnowledgeEdit, name: string): Asking<FactsToForget> {
  return yield* entitiesToForget(draft, yield* keysOfName(nameSpace(draft), name))
}

function* entitiesToForget(draft: KnowledgeEdit, entities: readonly string[]): Asking<FactsToForget> {
  return { facts: yield* ask({ of: 'everAbout', scope: draft.scope, entities }), entities }
}
