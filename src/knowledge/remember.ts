import type { RememberedFact } from '../domain/fact.ts'
import type { ParsedFact } from '../domain/new-fact.ts'
import { OPEN_END, OPEN_START, overlaps } from '../domain/span.ts'
import type { Channel } from '../domain/trust.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { checkExpected } from './check-expected.ts'
import { type Draft, changeKnowledge, factOf, isSingle, nameSpace, putFact, slotOf, sourcesOf } from './draft.ts'
import { type Evidence, gatherEvidence } from './evidence.ts'
import { showFact } from './fact-from-row.ts'
import { objectKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownFact, holdsAt, spansOf } from './known-fact.ts'
import { keysOfEntity } from './names.ts'
import { asDisputed, placeFact, resettle } from './place-fact.ts'
import { restsOn, taughtAlready } from './repeated-evidence.ts'
import { resolveEntity } from './resolve-entity.ts'
import { trustOfSources } from './trust-of-sources.ts'

/** What goes on and off has a row for each time it was on; only the last of them can be the one that is told again. */
const SAME_READ_MAX = 100

type Told = Pick<RememberedFact, 'outcome' | 'closed' | 'disputedBy'> & { readonly id: string }

/** A fact whose names are resolved. */
interface Statement {
  readonly given: ParsedFact
  readonly evidence: Evidence
  readonly subject: { readonly key: string; readonly name: string } | null
  /** Every key the subject's facts may be under. */
  readonly subjects: readonly string[]
  readonly object: KnownFact['body']['object']
  readonly objectKey: string
  readonly objectEntity: string | null
}

/** Stores facts, all or none, in the order given; each answer says what became of it. */
export function remember(
  knowledge: Knowledge,
  scope: string,
  facts: readonly ParsedFact[],
  channel: Channel | undefined,
): Promise<readonly RememberedFact[]> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const told: Told[] = []
    for (const given of facts) told.push(yield* tellFact(draft, given, channel))
    const answers: RememberedFact[] = []
    for (const { id, ...outcome } of told) answers.push({ ...(yield* showDrafted(draft, id)), ...outcome })
    return answers
  })
}

/** One fact, as part of a change. */
export function* tellFact(draft: Draft, given: ParsedFact, channel: Channel | undefined): Asking<Told> {
  return yield* tell(draft, yield* understand(draft, given, channel))
}

function* understand(draft: Draft, given: ParsedFact, channel: Channel | undefined): Asking<Statement> {
  const evidence = yield* gatherEvidence(draft, given, channel)
  const subject = given.subject === null ? null : yield* resolveEntity(draft, given.subject, evidence.trust)
  const { object } = given
  const isEntity = typeof object === 'object' && 'entity' in object
  const entity = isEntity
    ? yield* resolveEntity(
        draft,
        { name: object.entity, ...(object.type === undefined ? {} : { type: object.type }) },
        evidence.trust,
      )
    : null
  return {
    given,
    evidence,
    subject,
    subjects: subject === null ? [''] : yield* keysOfEntity(nameSpace(draft), subject.key),
    object: entity === null ? object : { entity: entity.name, ...(entity.type === null ? {} : { type: entity.type }) },
    objectKey: objectKey(object, entity?.key),
    objectEntity: entity?.key ?? null,
  }
}

function* tell(draft: Draft, statement: Statement): Asking<Told> {
  const { given, subjects } = statement
  const slot = { subjects, predicate: given.predicate }
  const same = (yield* slotOf(draft, { ...slot, object: statement.objectKey, limit: SAME_READ_MAX })).filter(
    ({ scope }) => scope === draft.scope,
  )
  const match = findSame(draft, given, same)
  if (given.expect !== undefined) {
    const known = match?.standing === 'retracted' ? undefined : match
    const current = isSingle(draft, given.predicate) ? yield* currentOf(draft, slot) : known
    checkExpected('remember', given.expect, current?.revision ?? 0, current?.id)
  }
  // Also a row that others closed since: what a message says is not true again because the message is read again.
  for (const { id } of same)
    if (yield* taughtAlready(draft, id, statement.evidence))
      return { id, outcome: 'unchanged', closed: [], disputedBy: [] }
  if (match === undefined)
    return yield* add(
      draft,
      statement,
      same.some(({ standing }) => standing === 'held'),
    )
  return yield* confirm(draft, statement, match)
}

function* currentOf(draft: Draft, slot: Parameters<typeof slotOf>[1]): Asking<KnownFact | undefined> {
  const { at } = draft.mark
  const all = yield* slotOf(draft, { ...slot, endingAfter: at })
  const current = all.filter(
    (fact) => fact.scope === draft.scope && fact.standing === 'held' && fact.trust > 0 && holdsAt(fact, at),
  )
  return current.toSorted((a, b) => b.revision - a.revision)[0]
}

/** The row of which this is another telling: of the same time, or not yet over when no time is told. */
function findSame(draft: Draft, given: ParsedFact, same: readonly KnownFact[]): KnownFact | undefined {
  const { validFrom, validTo } = given
  const timeless = validFrom === null && validTo === null
  const told = { from: validFrom ?? OPEN_START, to: validTo ?? OPEN_END }
  const [newest] = same
    .filter((fact) => {
      if (fact.standing !== 'held') return true
      if (timeless) return fact.validTo > draft.mark.at
      return spansOf(fact).some((span) => overlaps(span, told) || span.to === told.from || span.from === told.to)
    })
    .toSorted((a, b) => rank(b) - rank(a) || b.applied - a.applied)
  return newest
}

function rank({ standing }: KnownFact): number {
  return { held: 2, disputed: 1, retracted: 0 }[standing]
}

function* add(draft: Draft, statement: Statement, again: boolean): Asking<Told> {
  const { given, evidence, subject, subjects } = statement
  const id = draft.knowledge.newId()
  const { version, at } = draft.mark
  // True once, then not, and now again: since when is not told, but not since ever.
  const from = given.validFrom ?? (again && given.validTo === null ? at : null)
  const fact: KnownFact = {
    scope: draft.scope,
    id,
    revision: version,
    until: OPEN_END,
    recordedAt: at,
    subject: subject?.key ?? '',
    predicate: given.predicate,
    objectKey: statement.objectKey,
    objectEntity: statement.objectEntity,
    validFrom: OPEN_START,
    validTo: OPEN_END,
    standing: 'held',
    trust: evidence.trust,
    learnedAt: at,
    applied: version,
    body: {
      subject: subject?.name ?? null,
      object: statement.object,
      claim: { from, to: given.validTo },
      confidence: given.confidence,
      tags: given.tags,
    },
  }
  attach(draft, id, evidence)
  const { closed, disputedBy } = yield* placeFact(draft, fact, subjects)
  return { id, outcome: disputedBy.length > 0 ? 'disputed' : 'added', closed, disputedBy }
}

/** One more source. It may add to what is known of the fact; it changes its time only if it is trusted as much. */
function* confirm(draft: Draft, statement: Statement, fact: KnownFact): Asking<Told> {
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
  if (!isSingle(draft, fact.predicate)) {
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
  draft: Draft,
  { evidence, subjects }: Statement,
  before: KnownFact,
  confirmed: KnownFact,
): Asking<Told> {
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
  draft: Draft,
  { evidence, subjects }: Statement,
  before: KnownFact,
  confirmed: KnownFact,
): Asking<Told> {
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

function attach(draft: Draft, fact: string, evidence: Evidence): void {
  draft.sources.push(...evidence.sources.map((source) => ({ ...source, fact })))
}

/** A fact of the own scope as this change leaves it. */
export function* showDrafted(draft: Draft, id: string): Asking<ReturnType<typeof showFact>> {
  const fact = draft.facts.get(id) ?? (yield* storedFact(draft, id))
  return showFact(fact, draft.mark.at, yield* sourcesOf(draft, id))
}

function* storedFact(draft: Draft, id: string): Asking<KnownFact> {
  const fact = yield* factOf(draft, id)
  if (fact === undefined) throw new Error(`fact ${id} vanished within its transaction`)
  return fact
}
