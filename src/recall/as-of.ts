import type { PassageRow, Term } from '../ports/recall-store.ts'
import type { Earlier, EarlierPassage } from './earlier-passages.ts'
import { seqOf } from './place.ts'

const KEY_MAX = 0xffff_ffff

/** Passages that the index does not have, in its terms; words that it does not have get keys from the other end. */
export function earlierTerms(
  stored: readonly Term[],
  forms: readonly string[],
  passages: readonly EarlierPassage[],
): { readonly added: readonly Term[]; readonly rows: readonly PassageRow[] } {
  const keys = new Map(stored.map(({ term, key }) => [term, key]))
  const added: Term[] = []
  for (const [index, term] of forms.entries()) {
    const count = keys.has(term) ? 0 : passages.filter(({ terms }) => terms.some((one) => one.term === term)).length
    if (count === 0) continue
    keys.set(term, KEY_MAX - index)
    added.push({ key: KEY_MAX - index, shelf: 0, term, passages: count })
  }
  const rows = passages.flatMap((passage): readonly PassageRow[] => {
    const terms = passage.terms.flatMap(({ term, weight, impact }) => {
      const key = keys.get(term)
      return key === undefined ? [] : [key, weight * 256 + impact]
    })
    return [{ ...passage, terms: Uint32Array.from(terms) }]
  })
  return { added, rows }
}

/** Stretches as they were: without what came later or was other, and with what stood there instead. */
export function stretchesThen(
  stretches: readonly (readonly PassageRow[])[],
  earlier: Earlier,
  rows: readonly PassageRow[],
  reach: number,
): readonly (readonly PassageRow[])[] {
  const all = stretches.flatMap((stretch) => {
    const [first, last] = [stretch[0], stretch.at(-1)]
    if (first === undefined || last === undefined) return []
    const stood = stretch.filter(({ thread, place }) => earlier.stands(thread, seqOf(place)))
    return [{ thread: first.thread, from: first.place - reach, through: last.place + reach, rows: stood }]
  })
  for (const row of rows.toSorted((a, b) => a.thread - b.thread || a.place - b.place)) {
    const { thread, place } = row
    const around = all.find((one) => one.thread === thread && one.from <= place && place <= one.through)
    if (around === undefined) all.push({ thread, from: place - reach, through: place + reach, rows: [row] })
    else {
      around.rows.push(row)
      around.through = Math.max(around.through, place + reach)
    }
  }
  return all.map((one) => one.rows.toSorted((a, b) => a.place - b.place))
}
