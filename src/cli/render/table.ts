import { wrap } from './layout.ts'

export interface TableLook {
  /** The columns that are set to the right, by number: they hold numbers and are never made narrower. @default none */
  readonly right?: readonly number[]
  /** Columns of the terminal; `undefined` where nobody looks at a screen, and lines may be of any length. */
  readonly width: number | undefined
}

const GAP = '  '
const COLUMN_MIN = 12

/**
 * Columns as wide as their widest cell. Where that is wider than the terminal, the widest columns of text are made narrower, and
 * their cells wrap between words.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [], width }: TableLook,
): readonly string[] {
  const natural = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const widths = width === undefined ? natural : fitted(natural, right, width)
  return [head, ...rows].flatMap((row) => {
    const cells = widths.map((columns, index) => wrap(row[index] ?? '', columns))
    const height = Math.max(1, ...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) => {
          const text = cell[line] ?? ''
          const columns = widths[column] ?? 0
          return right.includes(column) ? text.padStart(columns) : text.padEnd(columns)
        })
        .join(GAP)
        .trimEnd(),
    )
  })
}

/** Takes from the widest column of text until the table fits, or nothing more can be taken. */
function fitted(natural: readonly number[], right: readonly number[], width: number): readonly number[] {
  const widths = [...natural]
  const room = width - GAP.length * (widths.length - 1)
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    const able = widths.map((columns, index) => (right.includes(index) || columns <= COLUMN_MIN ? 0 : columns))
    const widest = able.indexOf(Math.max(...able))
    if ((able[widest] ?? 0) === 0) break
    const next = Math.max(COLUMN_MIN, ...able.filter((_, index) => index !== widest))
    const columns = widths[widest] ?? 0
    widths[widest] = Math.max(COLUMN_MIN, columns - Math.max(1, Math.min(over, columns - next)))
  }
  return widths
}

function sum(list: readonly number[]): number {
  return list.reduce((total, one) => total + one, 0)
}
