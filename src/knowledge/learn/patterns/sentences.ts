export interface Sentence {
  readonly start: number
  readonly end: number
}

/** A fact is told in fewer; a longer stretch without an end is no prose. */
const CHARACTERS_MAX = 500
const END = /[.!?…]+["')\]]{0,3}(?=\s|$)|\n+|;(?=\s)/g
/** Before a full stop that ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|st|prof|jr|sr|vs|etc|no|inc|approx|e\.g|i\.e|z\.b|bzw|ca|nr|str|\p{L}|\d{1,2})$/iu

/** Where each sentence begins and ends, its closing mark included. */
export function* sentencesOf(text: string): Generator<Sentence> {
  let start = 0
  for (const { 0: mark, index } of text.matchAll(END)) {
    if (mark === '.' && ABBREVIATION.test(text.slice(Math.max(start, index - 8), index))) continue
    const end = index + mark.length
    if (end - start <= CHARACTERS_MAX) yield { start, end }
    start = end
  }
  if (start < text.length && text.length - start <= CHARACTERS_MAX) yield { start, end: text.length }
}
