import { defined } from '../domain/defined.ts'
import { OPEN_END, OPEN_START } from '../domain/span.ts'
import { rootOf, scopeChain } from '../domain/scope-path.ts'
import type {
  Asking,
  FactFilter,
  KnowledgeDecision,
  KnowledgeWrite,
  ProposalRow,
  SourceRow,
  SourcesOfFact,
  VersionMark,
} from '../ports/knowledge-store.ts'
import type { Advance } from '../ports/learn-store.ts'
import { ask } from './ask.ts'
import { SOURCES_SHOWN_MAX } from './fact-from-row.ts'
import type { Knowledge } from './knowledge.ts'
import { type EntityBody, type KnownEntity, readEntity } from './known-entity.ts'
import { type KnownFact, readFact, writeFact } from './known-fact.ts'
import type { NameSpace } from './names.ts'
import { declaredSingle } from './declared-single.ts'
import { isSingleByNature } from './single-valued.ts'

/** One change in the making: what it has decided so far lies over what the store knows. */
export interface KnowledgeEdit {
  readonly knowledge: Knowledge
  readonly scope: string
  readonly chain: readonly string[]
  readonly root: string
  /** The version this change makes. Time never runs backwards in a root, whatever the clock says. */
  readonly mark: VersionMark
  readonly facts: Map<string, KnownFact>
  /** Null: the scope has no word of its own on it any more. */
  readonly entities: Map<string, KnownEntity | null>
  readonly names: Map<string, string | null>
  readonly sources: SourceRow[]
  readonly dropped: { readonly fact: string; readonly evidence: string }[]
  readonly declared: Map<string, boolean>
  readonly proposals: ProposalRow[]
  /** Which predicates hold one value, as declared in the scope or the nearest ancestor that says. */
  readonly single: ReadonlyMap<string, boolean>
  /** Changes of deeper scopes that follow from this one. */
  readonly below: KnowledgeEdit[]
  /** The change that this one follows from. */
  readonly outer?: KnowledgeEdit
  /** The step of a session's cursor that goes with what was learned from it. */
  learned?: Advance
}

export function* openEdit(knowledge: Knowledge, scope: string): Asking<KnowledgeEdit> {
  const chain = scopeChain(scope)
  const root = rootOf(scope)
  const last = yield* ask({ of: 'mark', root })
  return {
    knowledge,
    scope,
    chain,
    root,
    mark: { version: (last?.version ?? 0) + 1, at: Math.max(knowledge.clock.now(), last?.at ?? 0) },
    facts: new Map(),
    entities: new Map(),
    names: new Map(),
    sources: [],
    dropped: [],
    declared: new Map(),
    proposals: [],
    below: [],
    single: yield* declaredSingle(chain),
  }
}

/** A change of a deeper scope, to be written with this one. It makes the version after those before it. */
export function* editBelow(draft: KnowledgeEdit, scope: string): Asking<KnowledgeEdit> {
  const begun = draft.below.find((one) => one.scope === scope)
  if (begun !== undefined) return begun
  const opened = yield* openEdit(draft.knowledge, scope)
  const version = draft.mark.version + draft.below.length + 1
  const deeper = { ...opened, mark: { version, at: draft.mark.at }, outer: draft }
  draft.below.push(deeper)
  return deeper
}

/** Runs a change: `decide` fills the draft, and what it filled is written. A draft that stays empty burns no version. */
export function changeKnowledge<Answer>(
  knowledge: Knowledge,
  scope: string,
  decide: (draft: KnowledgeEdit) => Asking<Answer>,
): Promise<Answer> {
  return knowledge.store.change<Answer>(scope, function* decideAll(): Asking<KnowledgeDecision<Answer>> {
    const draft = yield* openEdit(knowledge, scope)
    const answer = yield* decide(draft)
    return {
      answer,
      ...(isEmpty(draft) ? {} : { write: writeOf(draft) }),
      ...(draft.below.length === 0 ? {} : { below: draft.below.map((deeper) => writeOf(deeper)) }),
      ...defined({ learned: draft.learned }),
    }
  })
}

function isEmpty(draft: KnowledgeEdit): boolean {
  const { facts, entities, names, sources, dropped, declared, proposals, below } = draft
  // Versions are counted without gaps: those of deeper scopes come after this one's.
  return (
    below.length === 0 &&
    [facts.size, entities.size, names.size, sources.length, dropped.length, declared.size, proposals.length].every(
      (count) => count === 0,
    )
  )
}

export function writeOf(draft: KnowledgeEdit, forget?: KnowledgeWrite['forget']): KnowledgeWrite {
  const { root, scope, mark } = draft
  return {
    root,
    scope,
    mark,
    facts: [...draft.facts.values()].map(writeFact),
    entities: [...draft.entities.values()]
      .filter((entity) => entity !== null)
      .map((entity) => ({ ...entity, body: JSON.stringify(entity.body) })),
    droppedEntities: [...draft.entities].filter(([, entity]) => entity === null).map(([key]) => key),
    names: [...draft.names].map(([name, entity]) => ({ name, entity })),
    sources: draft.sources,
    droppedSources: draft.dropped,
    predicates: [...draft.declared].map(([name, single]) => ({ name, single })),
    proposals: draft.proposals,
    forget,
  }
}

export function nameSpace(draft: KnowledgeEdit): NameSpace {
  return { scopes: draft.chain, pending: draft.names }
}

export function isSingle(draft: KnowledgeEdit, predicate: string): boolean {
  return draft.declared.get(predicate) ?? draft.single.get(predicate) ?? isSingleByNature(predicate)
}

/** Makes this the newest version of a fact. */
export function putFact(draft: KnowledgeEdit, fact: KnownFact): KnownFact {
  const version = { ...fact, revision: draft.mark.version, until: OPEN_END, recordedAt: draft.mark.at }
  draft.facts.set(fact.id, version)
  return version
}

export function putEntity(draft: KnowledgeEdit, key: string, body: EntityBody): void {
  draft.entities.set(key, { scope: draft.scope, key, revision: draft.mark.version, until: OPEN_END, body })
}

/** A fact of the own scope as the draft has it. */
export function* factOf(draft: KnowledgeEdit, id: string): Asking<KnownFact | undefined> {
  const pending = draft.facts.get(id)
  if (pending !== undefined) return pending
  const [row] = yield* ask({ of: 'facts', scopes: [draft.scope], by: { ids: [id] }, where: ANY, limit: 1 })
  return row === undefined ? undefined : readFact(row)
}

/** The nearest version of an entity, the own scope's first. */
export function* entityOf(draft: KnowledgeEdit, key: string): Asking<KnownEntity | undefined> {
  const pending = draft.entities.get(key)
  if (pending === null) return yield* entityAbove(draft, key)
  return pending ?? (yield* nearestEntity(draft.chain, key))
}

/** What the nearest ancestor that knows an entity says of it. */
export function entityAbove(draft: KnowledgeEdit, key: string): Asking<KnownEntity | undefined> {
  return nearestEntity(draft.chain.slice(1), key)
}

function* nearestEntity(scopes: readonly string[], key: string): Asking<KnownEntity | undefined> {
  const rows = yield* ask({ of: 'entities', scopes, keys: [key] })
  const [nearest] = rows.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope))
  return nearest === undefined ? undefined : readEntity(nearest)
}

export interface Slot {
  readonly subjects: readonly string[]
  readonly predicate: string
  readonly object?: string
  /** @default any */
  readonly endingAfter?: number
  /** With `object`: so many of those that end last. @default all */
  readonly limit?: number
}

/** All facts of a subject and predicate that the scope and its ancestors know, as the draft has them. */
export function* slotOf(draft: KnowledgeEdit, slot: Slot): Asking<readonly KnownFact[]> {
  const { subjects, predicate, object, endingAfter = OPEN_START - 1, limit } = slot
  const rows = yield* ask({
    of: 'slot',
    scopes: draft.chain,
    subjects,
    predicate,
    endingAfter,
    ...defined({ object, limit }),
  })
  const drafted = draftedFacts(draft)
  const stored = rows.filter(({ id }) => !drafted.has(id)).map(readFact)
  const pending: KnownFact[] = []
  for (const fact of drafted.values())
    if (
      fact.predicate === predicate &&
      subjects.includes(fact.subject) &&
      (object === undefined || fact.objectKey === object) &&
      fact.validTo > endingAfter
    )
      pending.push(fact)
  return [...stored, ...pending]
}

/** Facts of the scope and its ancestors that are being changed. */
function draftedFacts(draft: KnowledgeEdit): ReadonlyMap<string, KnownFact> {
  const { outer, chain } = draft
  if (outer === undefined) return draft.facts
  const all = [outer, ...outer.below].filter(({ scope }) => chain.includes(scope))
  return new Map(all.flatMap(({ facts }) => [...facts]))
}

/** All current sources of a fact as the draft has them. */
export function* factSources(
  draft: KnowledgeEdit,
  fact: string,
  limit: number = SOURCES_SHOWN_MAX,
): Asking<SourcesOfFact> {
  const dropped = new Set(draft.dropped.filter((drop) => drop.fact === fact).map(({ evidence }) => evidence))
  // Which of the stored ones are dropped is only seen when all are read.
  const read = dropped.size === 0 ? limit : Number.MAX_SAFE_INTEGER
  const [stored] = yield* ask({ of: 'sources', facts: [{ scope: draft.scope, id: fact }], limit: read })
  const kept = (stored?.rows ?? []).filter(({ evidence }) => !dropped.has(evidence))
  const added = draft.sources.filter((row) => row.fact === fact)
  const gone = (stored?.rows.length ?? 0) - kept.length
  return { fact, count: (stored?.count ?? 0) - gone + added.length, rows: [...kept, ...added].slice(-limit) }
}

/** No bounds. */
export const ANY: FactFilter = {
  standing: ['disputed', 'retracted'],
  trust: [0, 3],
  valid: [OPEN_END, OPEN_START - 1],
}
