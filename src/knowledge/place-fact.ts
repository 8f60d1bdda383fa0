import { OPEN_END, OPEN_START, contains } from '../domain/span.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { type KnowledgeEdit, isSingle, putFact, slotOf } from './knowledge-edit.ts'
import { type KnownFact, claimOf, holdingOf, sameSpans, spansOf, withSpans } from './known-fact.ts'
import { type History, type Holding, place, replay } from './timeline.ts'

export interface PlacedFact {
  readonly fact: KnownFact
  readonly closed: readonly string[]
  readonly disputedBy: readonly string[]
}

/**
 * Applies a fact as the newest of its subject and predicate. Where the predicate holds one value, it closes or narrows the
 * others by rule, or is kept as disputed when one of higher trust, here or in an ancestor, says otherwise.
 */
export function* placeFact(draft: KnowledgeEdit, fact: KnownFact, subjects: readonly string[]): Asking<PlacedFact> {
  const applied: KnownFact = { ...fact, standing: 'held', applied: draft.mark.version }
  if (!contends(draft, fact)) return { fact: putFact(draft, asClaimed(applied)), closed: [], disputedBy: [] }
  const { own, above } = yield* rivals(draft, fact, subjects)
  const placement = place(own.map(holdingOf), claimOf(applied), contrary(fact, above))
  if (placement.type === 'disputed') return dispute(draft, fact, placement.by)
  const mine = placement.holdings.find(({ id }) => id === fact.id)?.spans ?? []
  narrow(draft, own, placement.holdings)
  return { fact: putFact(draft, withSpans(applied, mine)), closed: placement.closed, disputedBy: [] }
}

/** Whether a fact and others of its predicate exclude each other. */
export function contends(draft: KnowledgeEdit, { predicate, body }: KnownFact): boolean {
  return body.alongside !== true && isSingle(draft, predicate)
}

/** What an ancestor says that is not the same. */
function contrary(fact: KnownFact, above: readonly KnownFact[]): readonly Holding[] {
  return above.filter(({ objectKey }) => objectKey !== fact.objectKey).map(holdingOf)
}

interface Rivals {
  readonly own: readonly KnownFact[]
  readonly above: readonly KnownFact[]
}

/** What is over before the newcomer begins cannot touch it: a value that changed often is not read through. */
function* rivals(draft: KnowledgeEdit, fact: KnownFact, subjects: readonly string[]): Asking<Rivals> {
  const { from, to } = fact.body.claim
  const slot = { subjects, predicate: fact.predicate }
  if (from !== null || to === null) {
    const near = others(draft, fact, yield* slotOf(draft, { ...slot, endingAfter: from ?? fact.learnedAt }))
    // Without a told start it matters whether there was ever another value, and nothing near cannot tell.
    if (from !== null || near.own.some(({ trust }) => trust >= fact.trust)) return near
  }
  return others(draft, fact, yield* slotOf(draft, slot))
}

function others(draft: KnowledgeEdit, fact: KnownFact, all: readonly KnownFact[]): Rivals {
  const held = all.filter((other) => other.id !== fact.id && other.standing === 'held' && other.body.alongside !== true)
  return {
    own: held.filter(({ scope }) => scope === draft.scope),
    above: held.filter(({ scope }) => scope !== draft.scope),
  }
}

function dispute(draft: KnowledgeEdit, fact: KnownFact, by: readonly string[]): PlacedFact {
  return { fact: putFact(draft, asDisputed(fact)), closed: [], disputedBy: by }
}

/** Kept, not applied: nothing has closed it, since it never held. */
export function asDisputed(fact: KnownFact): KnownFact {
  const { closedBy: _, ...body } = fact.body
  return asClaimed({ ...fact, standing: 'disputed', body })
}

/** Valid as it was told, whatever others say. */
export function asClaimed(fact: KnownFact): KnownFact {
  const { from, to } = fact.body.claim
  return withSpans(fact, [{ from: from ?? OPEN_START, to: to ?? OPEN_END }])
}

/** Gives facts the time that is left to them, and says who took the rest. */
function narrow(draft: KnowledgeEdit, facts: readonly KnownFact[], holdings: readonly Holding[]): void {
  const after = new Map(holdings.map(({ id, spans }) => [id, spans]))
  for (const fact of facts) {
    const spans = after.get(fact.id)
    if (spans === undefined || sameSpans(spans, spansOf(fact))) continue
    const narrowed = withSpans(fact, spans)
    const { closedBy: _, ...body } = narrowed.body
    const by = holdings.find((other) => other.id !== fact.id && endsIt(other, narrowed))?.id
    putFact(draft, { ...narrowed, body: by === undefined ? body : { ...body, closedBy: by } })
  }
}

function endsIt({ spans }: Holding, { validTo, body }: KnownFact): boolean {
  return validTo !== (body.claim.to ?? OPEN_END) && spans.some((span) => contains(span, validTo))
}

/**
 * Works out a whole subject and predicate again from what was claimed, after a claim was taken away, given back or
 * changed: what a retracted value had closed is open again, and what only it stood against is applied.
 * Answers what is disputed now, each with what stands against it.
 */
export function* resettle(
  draft: KnowledgeEdit,
  subjects: readonly string[],
  predicate: string,
): Asking<History['disputed']> {
  if (!isSingle(draft, predicate)) return new Map()
  const all = (yield* slotOf(draft, { subjects, predicate })).filter(
    ({ standing, body }) => standing !== 'retracted' && body.alongside !== true,
  )
  const above = all.filter(({ scope, standing }) => scope !== draft.scope && standing === 'held')
  const own = all
    .filter(({ scope }) => scope === draft.scope)
    .toSorted((a, b) => a.applied - b.applied || (a.id < b.id ? -1 : 1))
  const byId = new Map(own.map((fact) => [fact.id, fact]))
  const { holdings, disputed } = replay(own.map(claimOf), ({ id }) => {
    const fact = byId.get(id)
    return fact === undefined ? [] : contrary(fact, above)
  })
  for (const fact of own) {
    const standing = disputed.has(fact.id) ? 'disputed' : 'held'
    if (standing !== fact.standing)
      byId.set(fact.id, putFact(draft, standing === 'held' ? { ...fact, standing } : asDisputed(fact)))
  }
  narrow(draft, [...byId.values()], holdings)
  return disputed
}
