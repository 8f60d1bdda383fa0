import type { FactObject } from '../domain/fact.ts'
import { type Span, contains } from '../domain/span.ts'
import type { FactRow } from '../ports/knowledge-store.ts'
import type { Claim, Holding } from './timeline.ts'

interface ClaimedTime {
  readonly from: number | null
  readonly to: number | null
}

/** What of a fact is not looked up by. */
export interface FactBody {
  readonly subject: string | null
  readonly object: FactObject
  /** The validity as it was told; what came of it is in the row. */
  readonly claim: ClaimedTime
  /** Who said that it was over, oldest first, each with the claim before: without them it is not. */
  readonly endings?: readonly { readonly sources: readonly string[]; readonly claim: ClaimedTime }[]
  /** Neither closes other values nor is closed by them, whatever its predicate. */
  readonly alongside?: true
  /** Only where other values came in between. */
  readonly spans?: readonly Span[]
  readonly confidence: number | null
  readonly tags: readonly string[]
  readonly reason?: string
  readonly closedBy?: string
  readonly retracted?: {
    readonly at: number
    /** Of who retracted it: telling it again must come from somebody as trusted. */
    readonly trust: number
    readonly was: 'held' | 'disputed'
  }
}

/** A version of a fact, its body read. */
export interface KnownFact extends Omit<FactRow, 'body'> {
  readonly body: FactBody
}

export function readFact(row: FactRow): KnownFact {
  return { ...row, body: JSON.parse(row.body) as FactBody }
}

export function writeFact(fact: KnownFact): FactRow {
  return { ...fact, body: JSON.stringify(fact.body) }
}

export function spansOf(fact: KnownFact): readonly Span[] {
  const { validFrom: from, validTo: to } = fact
  return fact.body.spans ?? (from < to ? [{ from, to }] : [])
}

export function holdsAt(fact: KnownFact, time: number): boolean {
  return spansOf(fact).some((span) => contains(span, time))
}

export function claimOf(fact: KnownFact): Claim {
  return { id: fact.id, ...fact.body.claim, trust: fact.trust, learnedAt: fact.learnedAt }
}

export function holdingOf(fact: KnownFact): Holding {
  return { id: fact.id, trust: fact.trust, spans: spansOf(fact) }
}

/** The same fact, valid in these stretches. Without any it keeps a moment, so that it is found where it was. */
export function withSpans(fact: KnownFact, spans: readonly Span[]): KnownFact {
  const { spans: _, ...body } = fact.body
  const moment = body.claim.from ?? body.claim.to ?? fact.learnedAt
  return {
    ...fact,
    validFrom: spans[0]?.from ?? moment,
    validTo: spans.at(-1)?.to ?? moment,
    body: spans.length > 1 ? { ...body, spans } : body,
  }
}

export function sameSpans(a: readonly Span[], b: readonly Span[]): boolean {
  return a.length === b.length && a.every((span, index) => span.from === b[index]?.from && span.to === b[index]?.to)
}
