import type { Asking } from '../ports/knowledge-store.ts'
import { type KnowledgeEdit, putFact } from './knowledge-edit.ts'
import type { KnownFact } from './known-fact.ts'
import { asDisputed, contends, placeFact, resettle } from './place-fact.ts'
import { restsOn } from './repeated-evidence.ts'
import { type Statement, type StatementOutcome, attach } from './statement.ts'
import { trustOfSources } from './trust-of-sources.ts'

/** One more source. It may add to what is known of the fact; it changes its time only if it is trusted as much. */
export function* confirm(draft: KnowledgeEdit, statement: Statement, fact: KnownFact): Asking<StatementOutcome> {
  const { given, evidence, subjects } = statement
  const { id } = fact
  if (yield* restsOn(draft, evidence.sources, id)) return { id, outcome: 'unchanged', closed: [], disputedBy: [] }
  attach(draft, id, evidence)
  const equal = evidence.trust >= fact.trust
  const claim = {
    from: (equal ? given.validFrom : null) ?? fact.body.claim.from,
    to: (equal ? given.validTo : null) ?? fact.body.claim.to,
  }
  const confirmed: KnownFact = {
    ...fact,
    trust: equal ? evidence.trust : fact.trust,
    ...(equal && statement.objectEntity !== null ? { objectEntity: statement.objectEntity } : {}),
    body: {
      ...fact.body,
      claim,
      ...(equal && statement.objectEntity !== null ? { object: statement.object } : {}),
      confidence:
        given.confidence === null ? fact.body.confidence : Math.max(given.confidence, fact.body.confidence ?? 0),
      tags: [...new Set([...fact.body.tags, ...given.tags])],
    },
  }
  if (fact.standing === 'retracted') return yield* revive(draft, statement, fact, confirmed)
  if (fact.standing === 'disputed') return yield* applyDisputed(draft, statement, fact, confirmed)
  // A source alone is no new version: a large fact that is told every day is stored once.
  if (sameFact(fact, confirmed)) return { id, outcome: 'confirmed', closed: [], disputedBy: [] }
  if (!contends(draft, fact)) {
    yield* placeFact(draft, confirmed, subjects)
    return { id, outcome: 'confirmed', closed: [], disputedBy: [] }
  }
  putFact(draft, confirmed)
  const disputedBy = (yield* resettle(draft, subjects, fact.predicate)).get(id) ?? []
  return { id, outcome: disputedBy.length > 0 ? 'disputed' : 'confirmed', closed: [], disputedBy }
}

/**
 * What stood against it may be over or gone. Who is trusted as much as the fact says it as of now; a lesser voice only
 * reminds of what was said then.
 */
function* applyDisputed(
  draft: KnowledgeEdit,
  { evidence, subjects }: Statement,
  before: KnownFact,
  confirmed: KnownFact,
): Asking<StatementOutcome> {
  const { id } = before
  const pending = draft.facts.get(id)
  const told = evidence.trust >= before.trust ? { ...confirmed, learnedAt: draft.mark.at } : confirmed
  const { closed, disputedBy } = yield* placeFact(draft, told, subjects)
  if (disputedBy.length === 0) return { id, outcome: 'confirmed', closed, disputedBy }
  if (!sameFact(before, confirmed)) putFact(draft, asDisputed(confirmed))
  else if (pending === undefined) draft.facts.delete(id)
  else draft.facts.set(id, pending)
  return { id, outcome: 'disputed', closed, disputedBy }
}

/** Told again after it was retracted: back if who tells it is trusted like who took it back. */
function* revive(
  draft: KnowledgeEdit,
  { evidence, subjects }: Statement,
  before: KnownFact,
  confirmed: KnownFact,
): Asking<StatementOutcome> {
  const { id } = before
  const { retracted, reason: _, ...body } = confirmed.body
  if (retracted !== undefined && evidence.trust < retracted.trust) {
    if (!sameFact(before, confirmed)) putFact(draft, confirmed)
    return { id, outcome: 'unchanged', closed: [], disputedBy: [] }
  }
  const trust = yield* trustOfSources(draft, id)
  const revived = { ...confirmed, trust, learnedAt: draft.mark.at, body }
  const { closed, disputedBy } = yield* placeFact(draft, revived, subjects)
  return { id, outcome: disputedBy.length > 0 ? 'disputed' : 'restored', closed, disputedBy }
}

/** Whether a telling added nothing but a source. */
function sameFact(a: KnownFact, b: KnownFact): boolean {
  const [{ claim, confidence, tags, object }, other] = [a.body, b.body]
  return (
    a.trust === b.trust &&
    a.objectEntity === b.objectEntity &&
    claim.from === other.claim.from &&
    claim.to === other.claim.to &&
    confidence === other.confidence &&
    tags.length === other.tags.length &&
    (object === other.object || JSON.stringify(object) === JSON.stringify(other.object))
  )
}
