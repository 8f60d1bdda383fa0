/** Ends of time, as stored: beyond any date that JavaScript knows, within what every database counts exactly. */
export const OPEN_START = -9_000_000_000_000_000
export const OPEN_END = 9_000_000_000_000_000

/** A stretch of time in milliseconds since 1970: `from` belongs to it, `to` does not. */
export interface Span {
  readonly from: number
  readonly to: number
}

export function overlaps(a: Span, b: Span): boolean {
  return a.from < b.to && b.from < a.to && a.from < a.to && b.from < b.to
}

/** What is left of a stretch when another is taken out of it: none, one or two stretches. */
export function spanWithout(span: Span, taken: Span): readonly Span[] {
  if (!overlaps(span, taken)) return [span]
  return [
    { from: span.from, to: Math.min(span.to, taken.from) },
    { from: Math.max(span.from, taken.to), to: span.to },
  ].filter(({ from, to }) => from < to)
}

export function contains(span: Span, time: number): boolean {
  return span.from <= time && time < span.to
}

export function isoOrNull(time: number): string | null {
  return time <= OPEN_START || time >= OPEN_END ? null : new Date(time).toISOString()
}
