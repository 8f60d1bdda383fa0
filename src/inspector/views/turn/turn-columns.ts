import type { RecordedContext } from '../../../api/kept-contexts.ts'

/** More columns than these would be thinner than a line. */
const COLUMNS_MAX = 400

export interface TurnColumn {
  readonly total: number
  readonly cached: number
  /** Something was folded here since the turn before. */
  readonly compacted: boolean
}

export interface TurnColumns {
  readonly columns: readonly TurnColumn[]
  /** The tokens at the upper end. */
  readonly scale: number
  /** Of the last turn. */
  readonly budget: number
  readonly highMark: number | undefined
  /** How many turns a column represents. */
  readonly widest: number
}

/** The columns of a slider over turns. Of many turns, each column shows the largest of several. */
export function turnColumns(turns: readonly RecordedContext[]): TurnColumns {
  const widest = Math.max(1, Math.ceil(turns.length / COLUMNS_MAX))
  const columns: TurnColumn[] = []
  for (let from = 0; from < turns.length; from += widest) {
    const some = turns.slice(from, from + widest)
    const largest = some.reduce((most, turn) => (turn.tokens.total > most.tokens.total ? turn : most))
    columns.push({
      total: largest.tokens.total,
      cached: Math.min(largest.tokens.total, largest.cache.equalTokens),
      compacted: some.some(
        ({ tokens }, index) => from + index > 0 && tokens.folds !== turns[from + index - 1]?.tokens.folds,
      ),
    })
  }
  const last = turns.at(-1)
  const most = columns.reduce((sum, { total }) => Math.max(sum, total), 1)
  const budget = last?.tokens.budget ?? 0
  // A budget far above everything that was said would flatten the columns: then it is not shown.
  const shown = budget <= most * 5
  return {
    columns,
    scale: Math.max(most, shown ? budget : 0),
    budget: shown ? budget : 0,
    highMark: shown ? last?.highMark : undefined,
    widest,
  }
}
