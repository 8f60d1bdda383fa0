import { OPEN_END, OPEN_START, type Span, contains, overlaps } from '../domain/span.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { type Draft, isSingle, putFact, slotOf } from './draft.ts'
import { type KnownFact, claimOf, holdingOf, sameSpans, spansOf, withSpans } from './known-fact.ts'
import { type Holding, place, replay } from './timeline.ts'

export interface Placed {
  readonly fact: KnownFact
  readonly closed: readonly string[]
  readonly disputedBy: readonly string[]
}

/**
 * Applies a fact as the newest of its subject and predicate. Where the predicate holds one value, it closes or narrows the
 * others by rule, or is kept as disputed when one of higher trust, here or in an ancestor, says otherwise.
 */
export function* placeFact(draft: Draft, fact: KnownFact, subjects: readonly string[]): Asking<Placed> {
  const applied: KnownFact = { ...fact, standing: 'held', applied: draft.mark.version }
  if (!isSingle(draft, fact.predicate)) return { fact: putFact(draft, asClaimed(applied)), closed: [], disputedBy: [] }
  const { own, above } = yield* rivals(draft, fact, subjects)
  const placement = place(own.map(holdingOf), claimOf(applied))
  if (placement.type === 'disputed') return dispute(draft, fact, placement.by)
  const mine = placement.holdings.find(({ id }) => id === fact.id)?.spans ?? []
  const over = above.filter(
    (other) => other.trust > fact.trust && other.objectKey !== fact.objectKey && meet(spansOf(other), mine),
  )
  if (over.length > 0)
    return dispute(
      draft,
      fact,
      over.map(({ id }) => id),
    )
  narrow(draft, own, placement.holdings)
  return { fact: putFact(draft, withSpans(applied, mine)), closed: placement.closed, disputedBy: [] }
}

interface Rivals {
  readonly own: readonly KnownFact[]
  readonly above: readonly KnownFact[]
}

/** What is over before the newcomer begins cannot touch it: a value that changed often is not read through. */
function* rivals(draft: Draft, fact: KnownFact, subjects: readonly string[]): Asking<Rivals> {
  const { from, to } = fact.body.claim
  const slot = { subjects, predicate: fact.predicate }
  if (from !== null || to === null) {
    const near = others(draft, fact, yield* slotOf(draft, { ...slot, endingAfter: from ?? fact.learnedAt }))
    // Without a told start it matters whether there was ever another value, and nothing near cannot tell.
    if (from !== null || near.own.some(({ trust }) => trust >= fact.trust)) return near
  }
  return others(draft, fact, yield* slotOf(draft, slot))
}

function others(draft: Draft, fact: KnownFact, all: readonly KnownFact[]): Rivals {
  const held = all.filter((other) => other.id !== fact.id && other.standing === 'held')
  return {
    own: held.filter(({ scope }) => scope === draft.scope),
    above: held.filter(({ scope }) => scope !== draft.scope),
  }
}

function dispute(draft: Draft, fact: KnownFact, by: readonly string[]): Placed {
  return { fact: putFact(draft, { ...asClaimed(fact), standing: 'disputed' }), closed: [], disputedBy: by }
}

/** Valid as it was told, whatever others say. */
export function asClaimed(fact: KnownFact): KnownFact {
  const { from, to } = fact.body.claim
  return withSpans(fact, [{ from: from ?? OPEN_START, to: to ?? OPEN_END }])
}

function meet(these: readonly Span[], those: readonly Span[]): boolean {
  return these.some((one) => those.some((other) => overlaps(one, other)))
}

/** Gives facts the time that is left to them, and says who took the rest. */
function narrow(draft: Draft, facts: readonly KnownFact[], holdings: readonly Holding[]): void {
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
 * changed: what a retracted value had closed is open again.
 */
export function* resettle(draft: Draft, subjects: readonly string[], predicate: string): Asking<void> {
  if (!isSingle(draft, predicate)) return
  const all = yield* slotOf(draft, { subjects, predicate })
  const held = all
    .filter(({ scope, standing }) => scope === draft.scope && standing === 'held')
    .toSorted((a, b) => a.applied - b.applied || (a.id < b.id ? -1 : 1))
  const { holdings, disputed } = replay(held.map(claimOf))
  for (const fact of held.filter(({ id }) => disputed.includes(id)))
    putFact(draft, { ...asClaimed(fact), standing: 'disputed' })
  narrow(draft, held, holdings)
}
