import { OPEN_END, OPEN_START, type Span, overlaps, spanWithout } from '../domain/span.ts'

/** What somebody said: that a value holds from a time until a time; null where nobody said when. */
export interface Claim {
  readonly id: string
  readonly from: number | null
  readonly to: number | null
  readonly trust: number
  readonly learnedAt: number
}

/** A value and when it holds: several stretches where others came in between, none where others took all of it. */
export interface Holding {
  readonly id: string
  readonly trust: number
  readonly spans: readonly Span[]
}

export type ClaimPlacement =
  | { readonly type: 'disputed'; readonly by: readonly string[] }
  | { readonly type: 'placed'; readonly holdings: readonly Holding[]; readonly closed: readonly string[] }

/**
 * Finds the time of a new value among those of a predicate that holds one value at a time:
 *
 * 1. A start that nobody told is the moment of learning, if there is another value at all; otherwise it is open.
 * 2. An end that nobody told is the next start that is known. So open statements give the same history in any order.
 * 3. A told end with an untold start reaches back to the last end before it.
 * 4. A value that is trusted less than one at the same time is disputed, and changes nothing.
 * 5. Otherwise it takes its whole time. What it takes it from keeps the rest: before, after or both.
 *
 * What is trusted less than the new value has no part in 1 to 3: it cannot shape what is trusted more. Values `above` are an
 * ancestor's: they may stand against the new one, but it takes nothing from them.
 */
export function place(holdings: readonly Holding[], claim: Claim, above: readonly Holding[] = []): ClaimPlacement {
  const span = timeOf(claim, holdings)
  const meets = ({ spans }: Holding): boolean => spans.some((held) => overlaps(held, span))
  const rivals = holdings.filter(meets)
  const stronger = [...rivals, ...above.filter(meets)].filter(({ trust }) => trust > claim.trust)
  if (stronger.length > 0) return { type: 'disputed', by: stronger.map(({ id }) => id) }
  const left = holdings.map((holding) =>
    rivals.includes(holding)
      ? { ...holding, spans: holding.spans.flatMap((held) => spanWithout(held, span)) }
      : holding,
  )
  return {
    type: 'placed',
    holdings: [...left, { id: claim.id, trust: claim.trust, spans: [span] }],
    closed: rivals.map(({ id }) => id),
  }
}

function timeOf(claim: Claim, holdings: readonly Holding[]): Span {
  const peers = holdings.filter(({ trust }) => trust >= claim.trust).flatMap(({ spans }) => spans)
  const { from, to } = claim
  if (to !== null) {
    const last = peers.reduce((end, span) => (span.to < to ? Math.max(end, span.to) : end), OPEN_START)
    return { from: from ?? last, to }
  }
  const start = from ?? (peers.length === 0 ? OPEN_START : claim.learnedAt)
  const next = peers.reduce((end, span) => (span.from > start ? Math.min(end, span.from) : end), OPEN_END)
  return { from: start, to: next }
}

export interface History {
  readonly holdings: readonly Holding[]
  /** What is not applied, each with what stands against it. */
  readonly disputed: ReadonlyMap<string, readonly string[]>
}

/** The whole history from what was said, in the order in which it was applied. */
export function replay(claims: readonly Claim[], above: (claim: Claim) => readonly Holding[] = () => []): History {
  let holdings: readonly Holding[] = []
  const disputed = new Map<string, readonly string[]>()
  for (const claim of claims) {
    const placement = place(holdings, claim, above(claim))
    if (placement.type === 'placed') ({ holdings } = placement)
    else disputed.set(claim.id, placement.by)
  }
  return { holdings, disputed }
}
