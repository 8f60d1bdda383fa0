import type { Fold, SeqRange } from '../../../domain/fold.ts'
import type { Draft } from '../../../domain/message.ts'

/** What stands for messages, in the window or in a request. */
export interface RowFold {
  readonly id: string
  readonly sources: readonly SeqRange[]
  readonly messages: number
  readonly tokens: number
  /** What the model reads instead. */
  readonly standIn: readonly Draft[]
  readonly kind?: Fold['kind']
  readonly why?: string
}

export type Row =
  | { readonly type: 'message'; readonly seq: number; readonly fold?: RowFold }
  | { readonly type: 'fold'; readonly fold: RowFold }

/** The rows of a conversation. Nothing here grows with the number of messages, only with the number of folds. */
export interface RowModel {
  readonly count: number
  rowAt(index: number): Row
  keyOf(index: number): string | number
  /** The row of a message; of one behind a closed fold, the fold's. */
  indexOf(seq: number): number
  /** The row with this key, or any other if there is none. */
  indexOfKey(key: string | number): number
}

/** Messages one after the other, from and through these numbers. */
interface Stretch {
  readonly start: number
  readonly rows: number
  readonly from: number
  readonly fold?: RowFold
  /** The row is the fold itself. */
  readonly card?: true
}

/** A fold is one row, where the first message behind it was; opened, its messages follow. */
export function rowModel(last: number, folds: readonly RowFold[], opened: ReadonlySet<string>): RowModel {
  const stretches: Stretch[] = []
  let count = 0
  let next = 1
  const add = (stretch: Omit<Stretch, 'start'>): void => {
    if (stretch.rows <= 0) return
    stretches.push({ ...stretch, start: count })
    count += stretch.rows
  }
  const ranges = folds
    .flatMap((fold) => fold.sources.map((range, index) => ({ ...range, fold, first: index === 0 })))
    .toSorted((a, b) => a.from - b.from)
  for (const { from, through, fold, first } of ranges) {
    add({ rows: from - next, from: next })
    if (first) add({ rows: 1, from, fold, card: true })
    if (opened.has(fold.id)) add({ rows: through - from + 1, from, fold })
    next = through + 1
  }
  add({ rows: last - next + 1, from: next })
  // Rows are read one after the other: the stretch of the row before is nearly always the right one.
  let latest: Stretch | undefined
  const stretchAt = (index: number): Stretch | undefined => {
    if (latest === undefined || index < latest.start || index >= latest.start + latest.rows)
      latest = stretches.findLast(({ start }) => start <= index)
    return latest
  }
  const indexOf = (seq: number): number => {
    const stretch = stretches.findLast(({ from, card }) => from <= seq && card !== true) ?? stretches[0]
    const card = stretches.find(
      ({ card: isCard, fold }) =>
        isCard === true && fold?.sources.some(({ from, through }) => from <= seq && seq <= through),
    )
    if (card?.fold !== undefined && !opened.has(card.fold.id)) return card.start
    return stretch === undefined ? 0 : Math.min(count - 1, stretch.start + Math.max(0, seq - stretch.from))
  }
  return {
    count,
    rowAt(index) {
      const stretch = stretchAt(index)
      if (stretch?.card === true && stretch.fold !== undefined) return { type: 'fold', fold: stretch.fold }
      const seq = (stretch?.from ?? 1) + index - (stretch?.start ?? 0)
      return { type: 'message', seq, ...(stretch?.fold === undefined ? {} : { fold: stretch.fold }) }
    },
    keyOf(index) {
      const stretch = stretchAt(index)
      if (stretch?.card === true && stretch.fold !== undefined) return stretch.fold.id
      return (stretch?.from ?? 1) + index - (stretch?.start ?? 0)
    },
    indexOf,
    indexOfKey(key) {
      if (typeof key === 'number') return indexOf(key)
      return stretches.find(({ card, fold }) => card === true && fold?.id === key)?.start ?? -1
    },
  }
}
