import type { SeqRange } from '../../domain/fold.ts'

/** The union of ranges, ascending, neighbours joined. */
export function joinRanges(ranges: readonly SeqRange[]): readonly SeqRange[] {
  const joined: SeqRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && range.from <= last.through + 1)
      joined[joined.length - 1] = { from: last.from, through: Math.max(last.through, range.through) }
    else joined.push(range)
  }
  return joined
}

export function rangesHave(ranges: readonly SeqRange[], seq: number): boolean {
  return ranges.some(({ from, through }) => from <= seq && seq <= through)
}
