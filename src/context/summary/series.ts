/** So many alike are a series. */
const MEMBERS_MIN = 3
const DIGITS = /\d{1,15}/g
/** Stands for a number; no text on one line has it. */
const NUMBER = '\u0000'
/** A series has at least one in so many of the numbers between its first and its last. */
const SPARSE = 4

export interface SeriesOptions<Item> {
  readonly text: (item: Item) => string
  /** Alike only with those of the same place: a message, say. Nothing if it may be alike with all that are close in number. */
  readonly place?: (item: Item) => unknown
}

/** One thing, or several that differ in their numbers alone. */
export interface Series<Item> {
  readonly items: readonly Item[]
  /** `socket.ts:0–54` for many, the text itself for one. */
  readonly text: string
}

/**
 * Puts texts together that differ in their numbers alone, `socket.ts:0` to `socket.ts:54`, by first appearance. Those from one place
 * are a series; those from several only if one number differs and theirs are close, so that a few codes of one kind stay readable.
 */
export function seriesOf<Item>(items: readonly Item[], { text, place }: SeriesOptions<Item>): readonly Series<Item>[] {
  const alike = new Map<string, Item[]>()
  for (const item of items) {
    const shape = text(item).replaceAll(DIGITS, NUMBER)
    const known = alike.get(shape)
    if (known === undefined) alike.set(shape, [item])
    else known.push(item)
  }
  return [...alike].flatMap(([shape, members]) => {
    const ranges = rangesOf(members.map((item) => numbersIn(text(item))))
    const places = new Set(members.map((item) => place?.(item)))
    const together = places.size === 1 && place !== undefined
    if (members.length < MEMBERS_MIN || !shape.includes(NUMBER) || !(together || isDense(ranges, members.length)))
      return members.map((item) => ({ items: [item], text: text(item) }))
    let at = 0
    return [{ items: members, text: shape.replaceAll(NUMBER, () => ranges[at++]?.text ?? '') }]
  })
}

function numbersIn(text: string): readonly string[] {
  return text.match(DIGITS) ?? []
}

interface Range {
  readonly text: string
  readonly width: number
}

/** From the least to the greatest number in each place. */
function rangesOf(rows: readonly (readonly string[])[]): readonly Range[] {
  return (rows[0] ?? []).map((first, column) => {
    let [least, greatest] = [first, first]
    for (const row of rows) {
      const number = row[column] ?? first
      if (Number(number) < Number(least)) least = number
      if (Number(number) > Number(greatest)) greatest = number
    }
    return {
      text: least === greatest ? least : `${least}–${greatest}`,
      width: Number(greatest) - Number(least) + 1,
    }
  })
}

function isDense(ranges: readonly Range[], members: number): boolean {
  const varying = ranges.filter(({ width }) => width > 1)
  return varying.length === 1 && varying.every(({ width }) => width <= members * SPARSE)
}
