import { defined } from '../domain/defined.ts'
import type { RememberedFact } from '../domain/fact.ts'
import type { ParsedFact } from '../domain/new-fact.ts'
import { OPEN_END, OPEN_START, overlaps } from '../domain/span.ts'
import type { SourceChannel } from '../domain/trust.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { checkExpected } from './check-expected.ts'
import { confirm } from './confirm.ts'
import { countRevisions } from './count-revisions.ts'
import {
  type KnowledgeEdit,
  changeKnowledge,
  factOf,
  isSingle,
  nameSpace,
  slotOf,
  factSources,
} from './knowledge-edit.ts'
import { gatherEvidence } from './evidence.ts'
import { showFact } from './fact-from-row.ts'
import { objectKey } from './keys.ts'
import type { Knowledge } from './knowledge.ts'
import { type KnownFact, holdsAt, spansOf } from './known-fact.ts'
import { keysOfEntity } from './names.ts'
import { placeFact } from './place-fact.ts'
import { learnedAlready } from './repeated-evidence.ts'
import { resolveEntity } from './resolve-entity.ts'
import { type Statement, type StatementOutcome, attach } from './statement.ts'

/** What goes on and off has a row for each time it was on; only the last of them can be the one that is told again. */
const SAME_READ_MAX = 100

/** Stores facts, all or none, in the order given; each answer says what became of it. */
export function remember(
  knowledge: Knowledge,
  scope: string,
  facts: readonly ParsedFact[],
  channel: SourceChannel | undefined,
): Promise<readonly RememberedFact[]> {
  return changeKnowledge(knowledge, scope, function* decide(draft) {
    const told: StatementOutcome[] = []
    for (const given of facts) told.push(yield* stateFact(draft, given, channel))
    const answers: RememberedFact[] = []
    for (const { id, ...outcome } of told) answers.push({ ...(yield* showDrafted(draft, id)), ...outcome })
    return answers
  })
}

/** One fact, as part of a change. */
export function* stateFact(
  draft: KnowledgeEdit,
  given: ParsedFact,
  channel: SourceChannel | undefined,
): Asking<StatementOutcome> {
  return yield* tell(draft, yield* understand(draft, given, channel))
}

function* understand(draft: KnowledgeEdit, given: ParsedFact, channel: SourceChannel | undefined): Asking<Statement> {
  const evidence = yield* gatherEvidence(draft, given, channel)
  const subject = given.subject === null ? null : yield* resolveEntity(draft, given.subject, evidence.trust)
  const { object } = given
  const isEntity = typeof object === 'object' && 'entity' in object
  const entity = isEntity
    ? yield* resolveEntity(draft, { name: object.entity, ...defined({ type: object.type }) }, evidence.trust)
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

function* tell(draft: KnowledgeEdit, statement: Statement): Asking<StatementOutcome> {
  const { given, subjects } = statement
  const slot = { subjects, predicate: given.predicate }
  const same = (yield* slotOf(draft, { ...slot, object: statement.objectKey, limit: SAME_READ_MAX })).filter(
    ({ scope }) => scope === draft.scope,
  )
  const match = findSame(draft, given, same)
  if (given.expect !== undefined) {
    const known = match?.standing === 'retracted' ? undefined : match
    const current = isSingle(draft, given.predicate) ? yield* currentOf(draft, slot) : known
    yield* checkExpected(draft, 'remember', given.expect, current)
  }
  // Also a row that others closed since: what a message says is not true again because the message is read again.
  for (const { id } of same)
    if (yield* learnedAlready(draft, id, statement.evidence))
      return { id, outcome: 'unchanged', closed: [], disputedBy: [] }
  if (match === undefined)
    return yield* add(
      draft,
      statement,
      same.some(({ standing }) => standing === 'held'),
    )
  return yield* confirm(draft, statement, match)
}

function* currentOf(draft: KnowledgeEdit, slot: Parameters<typeof slotOf>[1]): Asking<KnownFact | undefined> {
  const { at } = draft.mark
  const all = yield* slotOf(draft, { ...slot, endingAfter: at })
  const current = all.filter(
    (fact) => fact.scope === draft.scope && fact.standing === 'held' && fact.trust > 0 && holdsAt(fact, at),
  )
  return current.toSorted((a, b) => b.revision - a.revision)[0]
}

/** The row of which this is another telling: of the same time, or not yet over when no time is told. */
function findSame(draft: KnowledgeEdit, given: ParsedFact, same: readonly KnownFact[]): KnownFact | undefined {
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

function* add(draft: KnowledgeEdit, statement: Statement, again: boolean): Asking<StatementOutcome> {
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
      ...(given.alongside ? { alongside: true } : {}),
    },
  }
  attach(draft, id, evidence)
  const { closed, disputedBy } = yield* placeFact(draft, fact, subjects)
  return { id, outcome: disputedBy.length > 0 ? 'disputed' : 'added', closed, disputedBy }
}

/** A fact of the own scope as this change leaves it. */
export function* showDrafted(draft: KnowledgeEdit, id: string): Asking<ReturnType<typeof showFact>> {
  const fact = draft.facts.get(id) ?? (yield* storedFact(draft, id))
  const [counted = fact] = yield* countRevisions(draft.chain, [fact], draft.mark.version)
  return showFact(counted, draft.mark.at, yield* factSources(draft, id))
}

function* storedFact(draft: KnowledgeEdit, id: string): Asking<KnownFact> {
  const fact = yield* factOf(draft, id)
  if (fact === undefined) throw new Error(`fact ${id} vanished within its transaction`)
  return fact
}
